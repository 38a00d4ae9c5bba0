package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.ReportCase.Result;
import java.util.List;

/** Findings as a workflow of GitHub Actions shows them: annotations in the changed files, and a summary of the job. */
public final class WorkflowReport {
    /** GitHub shows no more of one step. */
    private static final int MOST_ANNOTATIONS = 10;

    private WorkflowReport() {}

    /**
     * Writes annotations.
     *
     * @param cases the cases; those that passed are left out
     * @return workflow commands, a line each; at most ten findings, and then how many more there are
     */
    public static String annotations(List<ReportCase> cases) {
        List<ReportCase> findings = cases.stream().filter(ReportCase::isFinding).toList();
        StringBuilder commands = new StringBuilder();
        findings.stream().limit(MOST_ANNOTATIONS).forEach(one -> commands.append(annotation(one)));
        if (findings.size() > MOST_ANNOTATIONS) {
            commands.append("::notice title=Cerrojo::and ")
                    .append(Words.count(findings.size() - MOST_ANNOTATIONS, "more finding", "more findings"))
                    .append(", see the summary of the job\n");
        }
        return commands.toString();
    }

    private static String annotation(ReportCase one) {
        String level = one.result() == Result.INCONCLUSIVE ? "warning" : "error";
        return "::" + level + " file=" + property(one.file()) + ",line=" + one.line() + ",title="
                + property("Cerrojo: " + one.result().rule()) + "::" + data(one.name() + ": " + one.message()) + "\n";
    }

    /** The toolkit of GitHub Actions: escapeData. */
    private static String data(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }

    /** The toolkit of GitHub Actions: escapeProperty. */
    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }

    /**
     * Writes a summary.
     *
     * @param command what was run
     * @param cases all cases
     * @return Markdown, every line ended
     */
    public static String summary(String command, List<ReportCase> cases) {
        long findings = cases.stream().filter(ReportCase::isFinding).count();
        StringBuilder text = new StringBuilder("### Cerrojo " + command + ": "
                + (findings == 0
                        ? "all passed"
                        : findings + " of " + Words.count(cases.size(), "case", "cases") + " did not pass")
                + "\n\n| file | line | case | result |\n|---|---|---|---|\n");
        for (ReportCase one : cases) {
            text.append("| ")
                    .append(cell(one.file()))
                    .append(" | ")
                    .append(one.line())
                    .append(" | ")
                    .append(cell(one.name()))
                    .append(" | ")
                    .append(
                            one.isFinding()
                                    ? Look.plain().violated()
                                    : Look.plain().holds())
                    .append(' ')
                    .append(cell(one.result().rule() + ": " + one.message()))
                    .append(" |\n");
        }
        return text.append('\n').toString();
    }

    /** Neither a table nor markup ends in it, nor begins. */
    private static String cell(String text) {
        return Printable.of(text)
                .replaceAll("([\\\\`*_\\[\\]|~#])", "\\\\$1")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
