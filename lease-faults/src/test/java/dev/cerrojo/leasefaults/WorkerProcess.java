package dev.cerrojo.leasefaults;

import dev.cerrojo.leasefaults.Event.Kind;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.process.ChildJvm;
import dev.cerrojo.testsupport.process.TestProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A {@link Worker}, and what it has said.
 *
 * @param index which place it has; one that is killed is replaced by another at the same place
 * @param process its process
 */
record WorkerProcess(int index, TestProcess process) {
    static WorkerProcess start(int index, Map<String, String> environment, String... arguments) {
        return new WorkerProcess(index, ChildJvm.start(environment, Worker.class, arguments));
    }

    List<Event> events() {
        return process.lines().stream().map(Event::of).flatMap(Optional::stream).toList();
    }

    List<Event> events(Kind kind) {
        return events().stream().filter(event -> event.is(kind)).toList();
    }

    void awaitReady() {
        process.awaitLine(line -> line.startsWith("EVENT READY"));
    }

    @Override
    public String toString() {
        return "worker %d, %s: %s".formatted(index, process.alive() ? "alive" : "dead", events());
    }

    /** {@return whether it holds the lease, as far as it knows; that a lease before was lost may be said late} */
    boolean holds() {
        List<Event> events = events();
        return process.alive()
                && lastAcquisition(events).stream()
                        .anyMatch(at -> events.stream().skip(at + 1L).noneMatch(event -> ends(events.get(at), event)));
    }

    private static OptionalInt lastAcquisition(List<Event> events) {
        return IntStream.range(0, events.size())
                .filter(at -> events.get(at).is(Kind.ACQUIRED))
                .max();
    }

    private static boolean ends(Event acquired, Event event) {
        return event.is(Kind.FAILED) || event.is(Kind.LOST) && event.sameLease(acquired);
    }

    void awaitLoss(long since) {
        Await.until(
                "worker %d tells that it has lost the lease; it says %s".formatted(index, events()),
                () -> events(Kind.LOST).stream().anyMatch(event -> event.nanos() > since));
    }
}
