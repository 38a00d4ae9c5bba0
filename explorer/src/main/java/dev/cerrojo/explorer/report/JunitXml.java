package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.ReportCase.Result;
import java.io.StringWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Cases as JUnit's XML, which most CI systems read: a test suite for each file. */
public final class JunitXml {
    private final XMLStreamWriter xml;

    private JunitXml(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /**
     * Writes cases.
     *
     * @param cases the cases, those of one file behind each other
     * @return an XML document
     */
    public static String of(List<ReportCase> cases) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter writer = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            new JunitXml(writer).write(cases);
            writer.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a string takes all that is written", e);
        }
        return text.append('\n').toString();
    }

    private void write(List<ReportCase> cases) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        start("testsuites", "cerrojo", cases);
        Map<String, List<ReportCase>> files = cases.stream()
                .collect(Collectors.groupingBy(ReportCase::file, LinkedHashMap::new, Collectors.toList()));
        for (Map.Entry<String, List<ReportCase>> file : files.entrySet()) {
            start("testsuite", file.getKey(), file.getValue());
            for (ReportCase one : file.getValue()) {
                write(one);
            }
            xml.writeEndElement();
            xml.writeCharacters("\n");
        }
        xml.writeEndElement();
    }

    private void start(String element, String name, List<ReportCase> cases) throws XMLStreamException {
        xml.writeStartElement(element);
        attribute("name", name);
        attribute("tests", cases.size());
        attribute("failures", cases.stream().filter(JunitXml::isFailure).count());
        attribute(
                "errors",
                cases.stream().filter(one -> one.isFinding() && !isFailure(one)).count());
        attribute("time", seconds(cases.stream().map(ReportCase::elapsed).reduce(Duration.ZERO, Duration::plus)));
        xml.writeCharacters("\n");
    }

    /** What is undecided is an error: no test passed, and none failed. */
    private static boolean isFailure(ReportCase one) {
        return one.result() == Result.VIOLATED || one.result() == Result.UNEXPECTED;
    }

    private void write(ReportCase one) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute("name", one.name());
        attribute("classname", one.file());
        attribute("file", one.file());
        attribute("line", one.line());
        attribute("time", seconds(one.elapsed()));
        if (one.isFinding()) {
            xml.writeStartElement(isFailure(one) ? "failure" : "error");
            attribute("type", one.result().rule());
            attribute("message", one.message());
            xml.writeCharacters(one.detail());
            xml.writeEndElement();
        }
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }

    private void attribute(String name, Object value) throws XMLStreamException {
        xml.writeAttribute(name, Printable.of(String.valueOf(value)));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }
}
