package dev.cerrojo.leasefaults;

/** What a fault has made of the lease that was held, by what was counted. */
enum Outcome {
    /** Nobody was told of a loss, and nobody acquired it. */
    KEPT("kept"),
    /** The work failed, and gave the lease back. */
    GIVEN_BACK("given back by work that failed"),
    /** Whoever lost it was told before another one acquired it. */
    TOLD_BEFORE("lost, told before"),
    /** Somebody who lost it was told only after another one had acquired it. */
    TOLD_AFTER("lost, told after"),
    /** The holder is dead, and another one acquired it. */
    REPLACED("replaced"),
    /** The holder lives, another one acquired it, and the holder said nothing. No run may end so. */
    UNTOLD("lost, not told");

    private final String words;

    Outcome(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
