package dev.cerrojo.explorer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableRow;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown as GitHub understands it, tables included. */
record Parsed(Node document) {
    private static final List<TablesExtension> EXTENSIONS = List.of((TablesExtension) TablesExtension.create());

    static Parsed of(String markdown) {
        return new Parsed(Parser.builder().extensions(EXTENSIONS).build().parse(markdown));
    }

    /** {@return what a reader sees of a node, as text} */
    static String seen(Node node) {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .build()
                .render(node)
                .replaceAll("<br ?/?>", " ")
                .replaceAll("(?s)<!--.*?-->", "")
                .replaceAll("<[^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replaceAll("&#(\\d+);", "\uE000$1;")
                .transform(Parsed::references)
                .replace("&amp;", "&")
                .strip();
    }

    private static String references(String text) {
        return Pattern.compile("\uE000(\\d+);")
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1)))));
    }

    String seen() {
        return seen(document);
    }

    List<Node> all(Predicate<Node> wanted) {
        List<Node> found = new ArrayList<>();
        collect(document, wanted, found);
        return found;
    }

    private static void collect(Node node, Predicate<Node> wanted, List<Node> found) {
        if (wanted.test(node)) {
            found.add(node);
        }
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            collect(child, wanted, found);
        }
    }

    List<String> headings(int level) {
        return all(node -> node instanceof Heading heading && heading.getLevel() == level).stream()
                .map(Parsed::seen)
                .toList();
    }

    /** {@return the HTML that is in it, but for what we write ourselves} */
    List<String> foreignMarkup() {
        List<String> foreign = new ArrayList<>();
        all(node -> node instanceof HtmlBlock || node instanceof Link || node instanceof Image)
                .forEach(node -> foreign.add(String.valueOf(node)));
        all(HtmlInline.class::isInstance).stream()
                .map(node -> ((HtmlInline) node).getLiteral())
                .filter(tag -> !List.of("<br>", "<code>", "</code>", "<!-- -->").contains(tag))
                .forEach(foreign::add);
        return foreign;
    }

    /** {@return for each table the numbers of cells of its rows, each once} */
    List<List<Integer>> tables() {
        return all(TableBlock.class::isInstance).stream()
                .map(table -> new Parsed(table)
                        .all(TableRow.class::isInstance).stream()
                                .map(row -> new Parsed(row)
                                        .all(TableCell.class::isInstance)
                                        .size())
                                .distinct()
                                .toList())
                .toList();
    }

    List<String> cells() {
        return all(TableCell.class::isInstance).stream().map(Parsed::seen).toList();
    }
}
