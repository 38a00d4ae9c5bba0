package dev.cerrojo.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Texts in the integers that scripts answer: see {@link ClaimScripts}. */
final class PackedText {
    private static final int BITS = 8;

    private PackedText() {}

    /** {@return the next text} */
    static String next(Iterator<Long> numbers) {
        byte[] bytes = new byte[Math.toIntExact(numbers.next())];
        long number = 0;
        for (int i = 0; i < bytes.length; i++) {
            int inNumber = i % ClaimScripts.BYTES_IN_A_NUMBER;
            number = inNumber == 0 ? numbers.next() : number;
            bytes[i] = (byte) (number >> BITS * (ClaimScripts.BYTES_IN_A_NUMBER - 1 - inNumber));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** {@return all texts of an answer} */
    static List<String> all(List<Long> answer) {
        List<String> texts = new ArrayList<>();
        for (Iterator<Long> numbers = answer.iterator(); numbers.hasNext(); ) {
            texts.add(next(numbers));
        }
        return texts;
    }
}
