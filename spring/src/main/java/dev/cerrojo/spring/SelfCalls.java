package dev.cerrojo.spring;

import dev.cerrojo.spring.OperandStack.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds, in class files, where a bean calls methods of its own: in its class, in what that extends and implements, and in classes
 * within those (lambdas and anonymous classes too). Such a call reaches the method without Spring's proxy.
 */
final class SelfCalls {
    private final Class<?> bean;
    private final Set<Signature> wanted;
    private final Set<String> beanTypes = new LinkedHashSet<>();
    private final List<SelfCall> found = new ArrayList<>();

    private SelfCalls(Class<?> bean, Set<Signature> wanted) {
        this.bean = bean;
        this.wanted = wanted;
    }

    /**
     * {@return the calls of some methods}
     *
     * @throws IOException when a class file cannot be read
     */
    static List<SelfCall> of(Class<?> bean, Set<Signature> wanted) throws IOException {
        SelfCalls calls = new SelfCalls(bean, wanted);
        List<Class<?>> types = types(bean);
        types.forEach(type -> calls.beanTypes.add(Type.getInternalName(type)));
        for (Class<?> type : types) {
            calls.scanWithInner(Type.getInternalName(type));
        }
        return calls.found;
    }

    /** {@return the class, what it extends and what they implement, without the platform's and Spring's} */
    static List<Class<?>> types(Class<?> bean) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Class<?> type = bean; type != null && type != Object.class; type = type.getSuperclass()) {
            types.add(type);
            types.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
        }
        return types.stream().filter(type -> !isOfOthers(type.getName())).toList();
    }

    /** {@return the names of a type and of all that it extends and implements} */
    static Stream<String> typeNames(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
        for (Class<?> next = type; next != null; next = next.getSuperclass()) {
            types.add(next);
        }
        return types.stream().map(Class::getName);
    }

    private static boolean isOfOthers(String name) {
        return name.startsWith("java.") || name.startsWith("jakarta.") || name.startsWith("org.springframework.");
    }

    private void scanWithInner(String type) throws IOException {
        Deque<String> open = new ArrayDeque<>(List.of(type));
        Set<String> seen = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            String next = open.remove();
            if (seen.add(next)) {
                open.addAll(scan(next));
            }
        }
    }

    /** {@return the classes directly within it} */
    private List<String> scan(String type) throws IOException {
        try (InputStream in = loader().getResourceAsStream(type + ".class")) {
            if (in == null) {
                throw new IOException("there is no class file of " + type.replace('/', '.'));
            }
            Scan scan = new Scan(type);
            new ClassReader(in).accept(scan, ClassReader.EXPAND_FRAMES);
            return scan.inner;
        }
    }

    private ClassLoader loader() {
        return Optional.ofNullable(bean.getClassLoader()).orElseGet(ClassLoader::getSystemClassLoader);
    }

    /** One class. */
    private final class Scan extends ClassVisitor {
        private final String type;
        private final boolean isBean;
        private final List<String> inner = new ArrayList<>();
        private String file = "";
        private boolean isStatic;

        Scan(String type) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.isBean = beanTypes.contains(type);
        }

        @Override
        public void visitSource(@Nullable String source, @Nullable String debug) {
            file = source == null ? type.substring(type.lastIndexOf('/') + 1) : source;
        }

        @Override
        public void visitInnerClass(String name, @Nullable String outer, @Nullable String simple, int access) {
            isStatic |= name.equals(type) && (access & Opcodes.ACC_STATIC) != 0;
            if (name.startsWith(type + "$") && !beanTypes.contains(name)) {
                inner.add(name);
            }
        }

        /** The compiler's bridges call what they stand for, and are themselves called through the proxy. */
        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String generic, String @Nullable [] thrown) {
            if ((access & Opcodes.ACC_BRIDGE) != 0) {
                return null;
            }
            Signature caller = new Signature(name, descriptor);
            return new SelfCallScan(beanTypes, locals(access, caller), call -> {
                boolean ofSuper = call.callee().equals(caller) && isBean && wanted.contains(caller);
                if (wanted.contains(call.callee()) && !(ofSuper && call.isSuper())) {
                    found.add(new SelfCall(call.callee(), type.replace('/', '.'), name, file + ":" + call.line()));
                }
            });
        }

        private Map<Integer, Entry> locals(int access, Signature method) {
            Map<Integer, Entry> locals = new HashMap<>();
            if ((access & Opcodes.ACC_STATIC) != 0) {
                return locals;
            }
            locals.put(0, isBean ? Entry.BEAN : Entry.INNER);
            Type[] parameters = Type.getArgumentTypes(method.descriptor());
            if (!isBean
                    && !isStatic
                    && method.name().equals("<init>")
                    && parameters.length > 0
                    && beanTypes.contains(parameters[0].getInternalName())) {
                locals.put(1, Entry.BEAN);
            }
            return locals;
        }
    }
}
