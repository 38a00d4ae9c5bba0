package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.spec.Spec;
import dev.cerrojo.explorer.spec.SpecResult;
import dev.cerrojo.explorer.spec.SpecSession;
import dev.cerrojo.explorer.spec.SpecStep;
import java.util.ArrayList;
import java.util.List;

/** Draws a schedule of a specification, with the names of its steps, and how it differs from serial orders. */
final class SpecTimeline {
    private SpecTimeline() {}

    static void draw(Page page, Spec spec, SpecResult.Shown shown) {
        Timeline.draw(
                page,
                TimelineRow.of(
                        participants(spec),
                        named(shown.execution().trace(), shown.program().steps()),
                        page.look()));
        SerialPhrases.drawAnomaly(page, shown.execution());
    }

    /** A setup is no step: it stands with the session's name. */
    private static List<List<Phrase>> participants(Spec spec) {
        List<List<Phrase>> participants = new ArrayList<>();
        for (SpecSession session : spec.sessions()) {
            List<Phrase> lines = new ArrayList<>();
            lines.add(Phrase.of(Tone.STRONG, Words.letter(participants.size()) + "  " + Printable.of(session.name())));
            session.setup()
                    .ifPresent(block -> lines.add(Phrase.of(
                            Tone.FAINT, "   " + Printable.lines(block.sql()).replace("\n", "\n   "))));
            participants.add(lines);
        }
        return participants;
    }

    /** Where a step begins, its name stands before its SQL. */
    private static Trace named(Trace trace, List<List<SpecStep>> steps) {
        int[] begun = new int[steps.size()];
        List<TraceEvent> events = new ArrayList<>();
        for (TraceEvent event : trace.events()) {
            if (event instanceof TraceEvent.Started started) {
                String name = steps.get(started.session())
                        .get(begun[started.session()]++)
                        .name();
                events.add(new TraceEvent.Started(started.session(), named(name, started.step())));
            } else {
                events.add(event);
            }
        }
        return new Trace(
                trace.points(), events, trace.outcomes(), trace.moves(), trace.waitNanos(), trace.wakeUpOrders());
    }

    private static StepInfo named(String name, StepInfo step) {
        return new StepInfo(
                step.kind(), name + ": " + step.sql(), step.bound(), step.isolation(), step.takesSnapshot());
    }
}
