package dev.cerrojo.leasefaults;

import dev.cerrojo.leasefaults.Event.Kind;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.process.ChildJvm;
import dev.cerrojo.testsupport.process.TestProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** {@return whether it holds the lease, as far as it knows} */
    boolean holds() {
        List<Event> events = events();
        return process.alive() && lastIs(Kind.ACQUIRED, events);
    }

    private static boolean lastIs(Kind kind, List<Event> events) {
        return !events.isEmpty() && events.get(events.size() - 1).is(kind);
    }

    void awaitLoss(long since) {
        Await.until(
                "worker %d tells that it has lost the lease; it says %s".formatted(index, events()),
                () -> events(Kind.LOST).stream().anyMatch(event -> event.nanos() > since));
    }
}
