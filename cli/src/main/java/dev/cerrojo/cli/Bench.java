package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.check.ReductionCheck;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.repair.Measuring;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.report.Look;
import dev.cerrojo.explorer.spec.SpecChecker;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the work on one file needs. */
final class Bench {
    private final Server server;
    private final SearchOptions search;
    private final ProgressLine progress;
    private final Terminal terminal;
    private final OutputOptions output;
    private final FileOptions files;
    private final Look look;

    Bench(Server server, CommonOptions options, ProgressLine progress, Terminal terminal) {
        this.server = server;
        this.search = options.search();
        this.progress = progress;
        this.terminal = terminal;
        this.output = options.output();
        this.files = options.files();
        this.look = output.look(terminal);
    }

    Server server() {
        return server;
    }

    Checker checker() {
        return new Checker(server, search.bounds(), search.mode(), progress)
                .withWorkers(search.workers().number());
    }

    /**
     * Finds the moment from which the shortest witness is lost.
     *
     * @return empty too when no report shows it
     */
    Optional<Doom> doom(CheckResult result) throws SQLException {
        return doom(result, false);
    }

    /** The same, also when only another report than the HTML one shows it. */
    Optional<Doom> doom(CheckResult result, boolean shown) throws SQLException {
        Optional<RunResult.Witness> witness = result.shortestWitness().flatMap(RunResult::witness);
        return (shown || files.html().isPresent()) && witness.isPresent()
                ? checker().doom(result.scenario(), witness.orElseThrow())
                : Optional.empty();
    }

    ReductionCheck reductionCheck() {
        return new ReductionCheck(server, search.bounds(), progress);
    }

    SpecChecker specChecker() {
        return new SpecChecker(server, search.bounds(), search.mode(), progress)
                .withWorkers(search.workers().number());
    }

    /** {@return what prints what it is given as it is, at once} */
    Consumer<String> printer() {
        return text -> print(look -> text);
    }

    Repairer repairer(Repairer.Inside inside) {
        return new Repairer(server, search.bounds(), search.mode(), inside, search.workers(), progress);
    }

    /** {@return one that measures too what repairs cost, if asked to} */
    Repairer repairer(Repairer.Inside inside, Optional<Measuring> measuring) {
        return measuring.map(repairer(inside)::measuring).orElseGet(() -> repairer(inside));
    }

    ProgressLine progress() {
        return progress;
    }

    /** Prints text, unless JSON was asked for. */
    void print(Function<Look, String> text) {
        progress.erase();
        if (!output.json()) {
            terminal.out().print(text.apply(look));
            terminal.out().flush();
        }
    }
}
