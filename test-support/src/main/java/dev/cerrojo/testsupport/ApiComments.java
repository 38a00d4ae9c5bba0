package dev.cerrojo.testsupport;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Finds what users can see and nobody has commented. Javadoc's own check can ask for that only together with a {@code @param}
 * and a {@code @return} on everything, which the style does not want where the name says it all.
 */
final class ApiComments extends TreePathScanner<Void, Void> {
    private static final Set<Kind> ALL_PUBLIC = Set.of(Kind.INTERFACE, Kind.ANNOTATION_TYPE);

    private final DocTrees docs;
    private final List<String> missing = new ArrayList<>();

    private ApiComments(DocTrees docs) {
        this.docs = docs;
    }

    /** {@return a line for each type and method below a source folder that is public or protected and has no comment} */
    static List<String> missingIn(Path sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> paths = Files.walk(sources)) {
            List<Path> java =
                    paths.filter(path -> path.toString().endsWith(".java")).toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(java));
            ApiComments comments = new ApiComments(DocTrees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                comments.scan(unit, null);
            }
            return comments.missing;
        }
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
        if (!visible(type.getModifiers())) {
            return null;
        }
        check(type.getSimpleName().toString());
        return super.visitClass(type, null);
    }

    /** A record's constructor says what it checks, or its components say it all. */
    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
        boolean constructorOfRecord =
                method.getReturnType() == null && enclosing().getKind() == Kind.RECORD;
        if (visible(method.getModifiers()) && !overrides(method) && !constructorOfRecord) {
            check(((ClassTree) enclosing()).getSimpleName() + "." + method.getName());
        }
        return null;
    }

    private boolean visible(ModifiersTree modifiers) {
        Set<Modifier> flags = modifiers.getFlags();
        return flags.contains(Modifier.PUBLIC)
                || flags.contains(Modifier.PROTECTED)
                || (ALL_PUBLIC.contains(enclosing().getKind()) && !flags.contains(Modifier.PRIVATE));
    }

    private static boolean overrides(MethodTree method) {
        return method.getModifiers().getAnnotations().stream()
                .map(AnnotationTree::getAnnotationType)
                .anyMatch(type -> type.toString().equals("Override"));
    }

    private Tree enclosing() {
        return getCurrentPath().getParentPath().getLeaf();
    }

    private void check(String name) {
        TreePath path = getCurrentPath();
        if (docs.getDocComment(path) == null) {
            CompilationUnitTree unit = path.getCompilationUnit();
            long line =
                    unit.getLineMap().getLineNumber(docs.getSourcePositions().getStartPosition(unit, path.getLeaf()));
            missing.add("%s:%d: %s has no comment"
                    .formatted(Path.of(unit.getSourceFile().getName()).getFileName(), line, name));
        }
    }
}
