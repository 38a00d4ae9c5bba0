package dev.cerrojo.leasefaults.history;

import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads what a {@link Recorder} said. */
final class Transcript {
    private Transcript() {}

    /** {@return its calls; the last may be without an answer} */
    static List<Call> calls(List<String> lines) {
        List<Call> calls = new ArrayList<>();
        String[] asked = {};
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words[0].equals("ASK") && words.length == 5) {
                asked = words;
            } else if (words[0].equals("TOLD") && words.length >= 3) {
                calls.add(answered(asked, words));
                asked = new String[0];
            }
        }
        if (asked.length > 0) {
            calls.add(call(asked, Call.NEVER, Told.NOTHING, 0));
        }
        return calls;
    }

    private static Call answered(String[] asked, String[] words) {
        Told told = Told.valueOf(words[2]);
        long returned = told == Told.NOTHING ? Call.NEVER : Long.parseLong(words[1]);
        return call(asked, returned, told, words.length > 3 ? Long.parseLong(words[3]) : 0);
    }

    private static Call call(String[] asked, long returned, Told told, long token) {
        Set<String> groups = asked[3].equals("-") ? Set.of() : Set.of(asked[3].split(","));
        return new Call(Kind.valueOf(asked[1]), asked[2], groups, Long.parseLong(asked[4]), returned, told, token);
    }
}
