package dev.cerrojo.idempotency;

/** What is kept of a job that is done: that it is. */
public enum Done {
    /** It is done. */
    DONE
}
