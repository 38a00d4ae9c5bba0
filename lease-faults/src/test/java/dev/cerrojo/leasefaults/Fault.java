package dev.cerrojo.leasefaults;

/** What befalls a holder, its store, or the network between; in the order of the guide's table, in its words. */
enum Fault {
    HOLDER_PAUSED("holder paused (SIGSTOP) past its time, then resumed"),
    HOLDER_KILLED("holder killed, a lease of 1 s"),
    HOLDER_KILLED_AT_TWO_SECONDS("holder killed, a lease of 2 s"),
    HOLDER_CLOCK_SHIFTED("holders' clocks set 5 h forward, then 5 h back, a lease of 2 s"),
    STORE_CLOCK_SHIFTED("store's clock set 5 h forward"),
    STORE_RESTARTED("store killed and restarted, with what is on its disk"),
    STORE_RESTARTED_EMPTY("store killed and restarted, nothing on its disk"),
    STORE_PAUSED("store paused (SIGSTOP) past the lease's time, then resumed"),
    LEADER_KILLED("master, or leader, killed"),
    LEADER_PAUSED("leader paused (SIGSTOP) for 4 s, then resumed"),
    HELD_BACK("holder's packets held back past its time, then delivered"),
    DELAYED("all packets delayed by 50 ms"),
    RESET("all connections reset, ten times"),
    ANSWERS_LOST("an answer to the holder lost, ten times"),
    HALF_CLOSED_TO_SERVER("all connections half-closed, no more requests"),
    HALF_CLOSED_TO_CLIENT("all connections half-closed, no more answers"),
    REFUSED("holder's connections refused past the lease's time");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
