package dev.cerrojo.explorer.tests.transactions;

/** Nothing is left of an item. */
public final class SoldOutException extends Exception {
    private static final long serialVersionUID = 1;

    SoldOutException(String item) {
        super(item);
    }
}
