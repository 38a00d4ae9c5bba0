package dev.cerrojo.backoffice.web;

/** The service refuses what was asked of it. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;
    private final String words;

    RefusedException(Refusal refusal, String words) {
        super(words);
        this.refusal = refusal;
        this.words = words;
    }

    /** {@return what a person can do} */
    public String words() {
        return words;
    }

    /** {@return which one of the reasons} */
    public Refusal refusal() {
        return refusal;
    }
}
