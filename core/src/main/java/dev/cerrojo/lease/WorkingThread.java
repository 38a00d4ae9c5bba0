package dev.cerrojo.lease;

/** A thread that works under a lease: interrupted when it is lost, but never after its work has ended. */
final class WorkingThread {
    private final Thread thread = Thread.currentThread();
    private boolean isWorking = true;
    private boolean wasInterrupted;

    synchronized void interrupt() {
        if (isWorking) {
            wasInterrupted = true;
            thread.interrupt();
        }
    }

    /** Called by the thread itself: takes back an interrupt that came from here and was not seen. */
    synchronized void done() {
        isWorking = false;
        if (wasInterrupted) {
            boolean unused = Thread.interrupted();
        }
    }
}
