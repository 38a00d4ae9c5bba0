package dev.cerrojo.lease;

/** A watch for releases that goes on until it is closed. */
@FunctionalInterface
public interface ReleaseWatch extends AutoCloseable {
    /** One that nobody is told by. */
    ReleaseWatch NONE = () -> {};

    /** Ends it. Hints that are on their way may still come. */
    @Override
    void close();
}
