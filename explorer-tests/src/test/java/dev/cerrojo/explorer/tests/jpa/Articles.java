package dev.cerrojo.explorer.tests.jpa;

import dev.cerrojo.Actor;
import dev.cerrojo.ownership.OwnedTable;
import dev.cerrojo.tx.Isolation;
import jakarta.persistence.EntityManager;
import java.util.function.Consumer;
import org.hibernate.Session;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Changes articles through Hibernate, and says who does. */
@Service
public class Articles {
    private final EntityManager entities;
    private final PlatformTransactionManager transactionManager;

    Articles(EntityManager entities, PlatformTransactionManager transactionManager) {
        this.entities = entities;
        this.transactionManager = transactionManager;
    }

    /** Reads the article and changes it, in one transaction. */
    public void change(Actor actor, Isolation level, Consumer<Article> change) {
        as(actor, level, () -> change.accept(entities.find(Article.class, 1L)));
    }

    /** Saves an article that was read long ago, such as a form. */
    public void save(Actor actor, Isolation level, Article form) {
        as(actor, level, () -> entities.merge(form));
    }

    private void as(Actor actor, Isolation level, Runnable work) {
        TransactionTemplate transaction = new TransactionTemplate(transactionManager);
        transaction.setIsolationLevel(level.jdbcLevel());
        transaction.executeWithoutResult(status -> {
            entities.unwrap(Session.class).doWork(connection -> OwnedTable.actAs(connection, actor));
            work.run();
        });
    }

    /** Makes the only article. */
    public void publish(Article article) {
        new TransactionTemplate(transactionManager).executeWithoutResult(status -> entities.merge(article));
    }

    /** {@return the only article} */
    public Article article() {
        return new TransactionTemplate(transactionManager).execute(status -> entities.find(Article.class, 1L));
    }
}
