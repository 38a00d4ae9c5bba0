package dev.cerrojo.idempotency;

/** What is done about a claim whose holder died or stood still, so that nobody knows whether the effect happened. */
public enum Takeover {
    /** Run it again: the effect is one that may be asked for twice, because it takes the same key. */
    RUN_AGAIN,
    /** Give it up: the key is answered with a failure from then on. */
    FAIL,
    /** Leave it to a person: each repetition is told so until somebody settles it. */
    ASK
}
