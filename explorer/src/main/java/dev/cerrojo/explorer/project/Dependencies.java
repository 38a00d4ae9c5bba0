package dev.cerrojo.explorer.project;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a build file names.
 *
 * @param path the file
 * @param tool the tool that reads it
 * @param names the dependencies and plugins: {@code group:artifact} of Maven and Gradle, a package's name of npm
 */
record Dependencies(String path, String tool, Set<String> names) {
    private static final Pattern COORDINATES = Pattern.compile("[\"']([\\w.-]+:[\\w.-]+)(?::[^\"']*)?[\"']");
    private static final Pattern PLUGIN = Pattern.compile("\\bid\\s*\\(?\\s*[\"']([\\w.-]+)[\"']");
    private static final Pattern IN_CATALOGUE =
            Pattern.compile("group\\s*=\\s*[\"']([\\w.-]+)[\"']\\s*,\\s*name\\s*=\\s*[\"']([\\w.-]+)[\"']");

    Dependencies {
        names = new TreeSet<>(names);
    }

    /** A build file is not what its tool reads. */
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }

    /** {@return whether a path is a build file's} */
    static boolean isBuildFile(String path) {
        return switch (SourceTree.name(path)) {
            case "pom.xml", "package.json", "build.gradle", "build.gradle.kts", "libs.versions.toml" -> true;
            default -> false;
        };
    }

    static Dependencies of(String path, String text) throws UnreadableException {
        return switch (SourceTree.name(path)) {
            case "pom.xml" -> new Dependencies(path, "Maven", maven(text));
            case "package.json" -> new Dependencies(path, "npm", npm(text));
            default -> new Dependencies(path, "Gradle", gradle(text));
        };
    }

    private static Set<String> maven(String text) throws UnreadableException {
        Element project = xml(text).getDocumentElement();
        Set<String> names = new TreeSet<>();
        for (String place : List.of("parent", "dependency", "plugin")) {
            for (Element element : elements(project, place)) {
                names.add(child(element, "groupId") + ":" + child(element, "artifactId"));
            }
        }
        return names;
    }

    /** Neither DTDs nor external entities: a project's files are not to make us read others. */
    private static Document xml(String text) throws UnreadableException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setExpandEntityReferences(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new UnreadableException(String.valueOf(e.getMessage()));
        }
    }

    private static List<Element> elements(Element below, String name) {
        List<Element> elements = new ArrayList<>();
        var found = below.getElementsByTagName(name);
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static String child(Element of, String name) {
        for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals(name)) {
                return child.getTextContent().strip();
            }
        }
        return "";
    }

    private static Set<String> npm(String text) throws UnreadableException {
        try {
            JsonNode file = JsonMapper.shared().readTree(text);
            Set<String> names = new TreeSet<>();
            for (String place : List.of("dependencies", "devDependencies", "peerDependencies")) {
                names.addAll(file.path(place).propertyNames());
            }
            return names;
        } catch (JacksonException e) {
            throw new UnreadableException(String.valueOf(e.getOriginalMessage()));
        }
    }

    /** Build files of Gradle are programs, so what they come to is not known from their text. */
    private static Set<String> gradle(String text) {
        Set<String> names = new TreeSet<>();
        Matcher coordinates = COORDINATES.matcher(text);
        while (coordinates.find()) {
            names.add(coordinates.group(1));
        }
        Matcher plugins = PLUGIN.matcher(text);
        while (plugins.find()) {
            names.add("plugin:" + plugins.group(1));
        }
        Matcher inCatalogue = IN_CATALOGUE.matcher(text);
        while (inCatalogue.find()) {
            names.add(inCatalogue.group(1) + ":" + inCatalogue.group(2));
        }
        return names;
    }
}
