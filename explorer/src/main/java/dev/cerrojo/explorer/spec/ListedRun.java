package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the permutations of a specification as listed, with the output of PostgreSQL's own tester, byte for byte as far as
 * PostgreSQL answers alike. Where a file lists none, all are run.
 *
 * <pre>{@code
 * List<String> problems = new ListedRun(server, System.out::print).run(spec);
 * }</pre>
 */
public final class ListedRun {
    private static final String OPTIONS = "-c client_min_messages=notice";

    /** A setup that takes longer waits for another setup's lock, and would wait for ever. */
    private static final long LONGEST_SETUP_MILLIS = 30_000;

    private final Server server;
    private final Consumer<String> out;

    /**
     * Makes it.
     *
     * @param server where a scratch database is made
     * @param out is given the output, piece by piece; may throw, to end the run
     */
    public ListedRun(Server server, Consumer<String> out) {
        this.server = server;
        this.out = out;
    }

    /**
     * Runs all permutations.
     *
     * @param spec the specification
     * @return for each permutation that could not be followed to its end, why
     * @throws ScenarioSqlException if PostgreSQL does not take a setup
     * @throws SQLException if the server cannot do it
     */
    public List<String> run(Spec spec) throws SQLException {
        out.accept("Parsed test spec with " + spec.sessions().size() + " sessions\n");
        List<Permutation> permutations = spec.permutations().isEmpty() ? all(spec) : spec.permutations();
        List<String> problems = new ArrayList<>();
        try (BareScratch database = BareScratch.create(server);
                Run run = new Run(spec, database)) {
            for (Permutation permutation : permutations) {
                run.run(permutation).ifPresent(problems::add);
            }
        }
        return problems;
    }

    /** {@return all orders of all steps that keep each session's own, in the tester's order} */
    static List<Permutation> all(Spec spec) {
        List<Permutation> all = new ArrayList<>();
        extend(spec, new int[spec.sessions().size()], List.of(), all);
        return all;
    }

    private static void extend(Spec spec, int[] taken, List<Permutation.Entry> begun, List<Permutation> all) {
        boolean ended = true;
        for (int i = 0; i < taken.length; i++) {
            List<SpecStep> steps = spec.sessions().get(i).steps();
            if (taken[i] < steps.size()) {
                ended = false;
                List<Permutation.Entry> longer = new ArrayList<>(begun);
                longer.add(new Permutation.Entry(steps.get(taken[i]++).name(), List.of()));
                extend(spec, taken, longer, all);
                taken[i]--;
            }
        }
        if (ended) {
            all.add(new Permutation(begun, 0));
        }
    }

    /** The connections, kept from permutation to permutation as the tester does. */
    private final class Run implements AutoCloseable {
        private final Spec spec;
        private final BareScratch database;
        private final Worker control;
        private final List<Worker> workers = new ArrayList<>();

        Run(Spec spec, BareScratch database) throws SQLException {
            this.spec = spec;
            this.database = database;
            this.control = new Worker("control connection", database.url(OPTIONS));
            for (SpecSession session : spec.sessions()) {
                workers.add(connect(session, workers.size()));
            }
        }

        private Worker connect(SpecSession session, int index) throws SQLException {
            Worker worker = new Worker(session.name(), database.url(OPTIONS + level()));
            database.owns(index, worker.backend());
            return worker;
        }

        private String level() {
            return spec.isolation().map(IsolationRewriter::option).orElse("");
        }

        Optional<String> run(Permutation permutation) throws SQLException {
            reconnect();
            StringBuilder title = new StringBuilder("\nstarting permutation:");
            permutation.steps().forEach(entry -> title.append(' ').append(entry.step()));
            out.accept(title.append('\n').toString());
            setUp();
            Optional<String> problem = runSteps(permutation);
            tearDown();
            return problem;
        }

        private void setUp() {
            spec.setups().forEach(block -> runSetup(control, block));
            for (int i = 0; i < workers.size(); i++) {
                Worker worker = workers.get(i);
                spec.sessions().get(i).setup().ifPresent(block -> runSetup(worker, block));
            }
        }

        private void tearDown() {
            for (int i = 0; i < workers.size(); i++) {
                Worker worker = workers.get(i);
                spec.sessions()
                        .get(i)
                        .teardown()
                        .filter(block -> !worker.isClosed())
                        .ifPresent(block -> runTeardown(worker, block, "teardown of session " + worker.session()));
            }
            // the tester leaves an open transaction open, and hangs in a teardown that waits for it
            workers.forEach(Worker::cleanUp);
            spec.teardown().ifPresent(block -> runTeardown(control, block, "teardown"));
        }

        private void reconnect() throws SQLException {
            for (int i = 0; i < workers.size(); i++) {
                if (workers.get(i).isClosed()) {
                    workers.get(i).close();
                    workers.set(i, connect(spec.sessions().get(i), i));
                }
            }
        }

        private Optional<String> runSteps(Permutation permutation) {
            PermutationRun steps = new PermutationRun(spec, workers, permutation, database.monitor(), out);
            try {
                steps.run();
                return Optional.empty();
            } catch (PermutationRun.Stalled e) {
                steps.cancel();
                String problem = spec.file() + (permutation.line() == 0 ? "" : ":" + permutation.line())
                        + ": this permutation cannot be run as listed: " + e.getMessage();
                out.accept(problem + "\n");
                return Optional.of(problem);
            }
        }

        private void runSetup(Worker worker, SqlBlock block) {
            run(worker, block).error().ifPresent(error -> {
                throw ScenarioSqlException.of(spec.file(), block.at(), block.sql(), error.cause());
            });
        }

        /** What a teardown drops may never have been made: as in the tester, its failure is told, and no more. */
        private void runTeardown(Worker worker, SqlBlock block, String name) {
            run(worker, block)
                    .error()
                    .ifPresent(error -> out.accept(name + " failed: " + ErrorText.of(error, block.sql())));
        }

        private Answer run(Worker worker, SqlBlock block) {
            Answer answer = execute(worker, block.sql());
            for (String notice : worker.newNotices()) {
                if (worker != control) {
                    out.accept(worker.session() + ": " + notice + "\n");
                }
            }
            if (answer.endsInRows()) {
                out.accept(ResultTable.of(answer.results().get(answer.results().size() - 1)));
            }
            return answer;
        }

        private Answer execute(Worker worker, String sql) {
            worker.send(sql);
            if (!worker.awaitDone(LONGEST_SETUP_MILLIS)) {
                while (!worker.awaitDone(5)) {
                    database.monitor().cancel(worker.backend());
                }
            }
            return worker.answer();
        }

        @Override
        public void close() {
            workers.forEach(Worker::close);
            control.close();
        }
    }
}
