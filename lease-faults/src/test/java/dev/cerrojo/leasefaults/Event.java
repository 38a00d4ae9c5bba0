package dev.cerrojo.leasefaults;

import java.util.Optional;

/**
 * What a worker says.
 *
 * @param kind what happened
 * @param nanos when, by the machine's clock that only goes forward, which all its processes share
 * @param detail the token, the token and the reason of its loss, or the failure
 */
record Event(Kind kind, long nanos, String detail) {
    /** What happens to a worker. */
    enum Kind {
        READY,
        ACQUIRED,
        LOST,
        FAILED
    }

    static Optional<Event> of(String line) {
        String[] words = line.split(" ", 4);
        return words.length == 4 && words[0].equals("EVENT")
                ? Optional.of(new Event(Kind.valueOf(words[1]), Long.parseLong(words[2]), words[3]))
                : Optional.empty();
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** {@return whether both are of the same lease} */
    boolean sameLease(Event other) {
        return token().equals(other.token());
    }

    private String token() {
        return detail.split(" ", 2)[0];
    }

    @Override
    public String toString() {
        return "EVENT %s %d %s".formatted(kind, nanos, detail);
    }
}
