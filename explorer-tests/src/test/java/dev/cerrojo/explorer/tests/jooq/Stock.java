package dev.cerrojo.explorer.tests.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** A stock of goods, with jOOQ. */
public final class Stock {
    private static final Table<Record> STOCK = table(name("stock"));
    private static final Field<String> ITEM = field(name("item"), String.class);
    private static final Field<Integer> LEFT = field(name("pieces"), Integer.class);

    private final DSLContext jooq;

    public Stock(DataSource dataSource) {
        this.jooq = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    /** Says that there is none left. */
    public static final class SoldOutException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Reads, and writes what it computed of it. */
    public void take(String item) {
        jooq.transaction(configuration -> {
            DSLContext sql = configuration.dsl();
            int left = sql.select(LEFT).from(STOCK).where(ITEM.eq(item)).fetchSingle(LEFT);
            if (left == 0) {
                throw new SoldOutException();
            }
            sql.update(STOCK).set(LEFT, left - 1).where(ITEM.eq(item)).execute();
        });
    }

    /** Tells by the number of changed rows; with autocommit. */
    public void takeAtomically(String item) {
        int changed = jooq.update(STOCK)
                .set(LEFT, LEFT.minus(1))
                .where(ITEM.eq(item), LEFT.gt(0))
                .execute();
        if (changed == 0) {
            throw new SoldOutException();
        }
    }
}
