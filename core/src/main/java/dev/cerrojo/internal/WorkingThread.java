package dev.cerrojo.internal;

/** A thread that works under what is held for a time: interrupted when it is lost, but never after its work has ended. */
public final class WorkingThread {
    private final Thread thread = Thread.currentThread();
    private boolean isWorking = true;
    private boolean wasInterrupted;

    /** Begins with the thread that calls this. */
    public WorkingThread() {}

    /** Interrupts it while it works. Called by any thread. */
    public synchronized void interrupt() {
        if (isWorking) {
            wasInterrupted = true;
            thread.interrupt();
        }
    }

    /** Called by the thread itself: takes back an interrupt that came from here and was not seen. */
    public synchronized void done() {
        isWorking = false;
        if (wasInterrupted) {
            boolean unused = Thread.interrupted();
        }
    }
}
