package dev.cerrojo.explorer.tests.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.ownership.FieldScope;
import dev.cerrojo.ownership.Merge;
import dev.cerrojo.ownership.OwnedTable;
import dev.cerrojo.ownership.Ownership;
import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import dev.cerrojo.ownership.Write;
import dev.cerrojo.ownership.Written;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Articles that editors write, and that workers make thumbnails and summaries of. */
public final class Newsroom {
    static final Ownership ARTICLES = Ownership.of("article", "id")
            .version("version")
            .editorOwned("title", "body")
            .systemOwned("thumbnail", "thumbnail_width", "summary")
            .shared("tags", Merge.union())
            .shared("views", Merge.delta())
            .group("thumbnail", "thumbnail", "thumbnail_width")
            .group("text", "summary")
            .build();

    private final OwnedTable articles = OwnedTable.of(ARTICLES);
    private final Transactions transactions;
    private final Leases leases;

    /** Makes pictures, which takes a while. */
    public interface Camera {
        String thumbnail(long article);
    }

    public Newsroom(DataSource dataSource, Leases leases) {
        this.transactions = Transactions.over(dataSource);
        this.leases = leases;
    }

    public static List<Finding> protect(DataSource dataSource) throws SQLException {
        OwnershipTriggers triggers = OwnershipTriggers.over(dataSource);
        OwnershipTrigger trigger = OwnershipTrigger.of(ARTICLES, OwnershipOptions.preserve());
        triggers.install(trigger, Installation.defaults());
        return triggers.verify(trigger);
    }

    public long save(long article, long version, String title, List<String> tagsAsRead, List<String> tags) {
        Write save =
                Write.by(Actor.EDITOR).atVersion(version).set("title", title).merge("tags", tagsAsRead, tags);
        Written written = transactions.call(tx -> articles.write(tx, article, save));
        return written.version().orElseThrow();
    }

    public void viewed(long article) {
        transactions.run(
                tx -> articles.write(tx, article, Write.by(Actor.SYSTEM).merge("views", 0, 1)));
    }

    public void photograph(long article, long version, Camera camera) {
        FieldScope scope = ARTICLES.scope(article, "thumbnail");
        try (Lease lease = leases.acquire(new LeaseScope(scope.entity(), scope.group()))) {
            String thumbnail = lease.call(held -> camera.thumbnail(article));
            Write made = Write.by(Actor.SYSTEM)
                    .atVersion(version)
                    .set("thumbnail", thumbnail)
                    .set("thumbnail_width", 320);
            lease.runFenced(transactions, tx -> articles.write(tx, article, made));
        }
    }

    static final Merge LONGER = Merge.by(
            "longer",
            (base, present, proposed) ->
                    String.valueOf(proposed).length() > String.valueOf(present).length() ? proposed : present);
}
