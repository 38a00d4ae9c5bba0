package dev.cerrojo.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.asm.Opcodes;

/**
 * Which entries of a method's operand stack and local variables are the object whose calls are looked for. An entry of two words (long,
 * double) counts as two.
 *
 * <p>Source: The Java Virtual Machine Specification, chapter 6.
 */
final class OperandStack {
    /** What an entry is. */
    enum Entry {
        /** Anything else. */
        OTHER,
        /** An instance of a class within the bean's class, which can reach the bean. */
        INNER,
        /** The bean itself. */
        BEAN
    }

    /** Per opcode two digits: how many words it pops and pushes; for those that do no more than that. */
    private static final String[] WORDS = new String[202];

    static {
        words("00", 0, 132, 167, 169, 177);
        range("01", 1, 8);
        range("02", 9, 10);
        range("01", 11, 13);
        range("02", 14, 15);
        range("01", 16, 18);
        words("01", 21, 23);
        words("02", 22, 24);
        words("21", 46, 48, 50, 51, 52, 53);
        words("22", 47, 49);
        words("10", 54, 56);
        words("20", 55, 57);
        words("30", 79, 81, 83, 84, 85, 86);
        words("40", 80, 82);
        words("10", 87);
        words("20", 88);
        for (int operation = 96; operation <= 112; operation += 4) {
            range("21", operation, operation);
            words("42", operation + 1, operation + 3);
            words("21", operation + 2);
        }
        words("11", 116, 118);
        words("22", 117, 119);
        words("21", 120, 122, 124, 126, 128, 130);
        words("32", 121, 123, 125);
        words("42", 127, 129, 131);
        words("12", 133, 135, 140, 141);
        words("11", 134, 139, 145, 146, 147);
        words("21", 136, 137, 142, 144);
        words("22", 138, 143);
        words("41", 148, 151, 152);
        words("21", 149, 150);
        range("10", 153, 158);
        range("20", 159, 166);
        words("10", 170, 171, 172, 174, 176, 191, 194, 195, 198, 199);
        words("20", 173, 175);
        words("01", 187);
        words("11", 188, 189, 190, 193);
    }

    private final List<Entry> stack = new ArrayList<>();

    OperandStack() {}

    private OperandStack(List<Entry> stack) {
        this.stack.addAll(stack);
    }

    private static void words(String effect, int... opcodes) {
        for (int opcode : opcodes) {
            WORDS[opcode] = effect;
        }
    }

    private static void range(String effect, int first, int last) {
        for (int opcode = first; opcode <= last; opcode++) {
            WORDS[opcode] = effect;
        }
    }

    OperandStack copy() {
        return new OperandStack(stack);
    }

    /** {@return whether entries were taken over from a stack of the same height: what may be the bean is taken for it} */
    boolean merge(OperandStack other) {
        if (other.stack.size() != stack.size()) {
            return false;
        }
        for (int i = 0; i < stack.size(); i++) {
            if (other.stack.get(i).compareTo(stack.get(i)) > 0) {
                stack.set(i, other.stack.get(i));
            }
        }
        return true;
    }

    void push(Entry entry) {
        stack.add(entry);
    }

    void push(int words) {
        for (int i = 0; i < words; i++) {
            stack.add(Entry.OTHER);
        }
    }

    Entry pop() {
        return stack.isEmpty() ? Entry.OTHER : stack.remove(stack.size() - 1);
    }

    void pop(int words) {
        for (int i = 0; i < words; i++) {
            pop();
        }
    }

    /** {@return the entry that so many words are above} */
    Entry below(int words) {
        int index = stack.size() - 1 - words;
        return index < 0 ? Entry.OTHER : stack.get(index);
    }

    /** Does what an instruction does that neither jumps to a known place nor names a variable, a field or a method. */
    void execute(int opcode) {
        switch (opcode) {
            case Opcodes.DUP -> copyDown(1, 1);
            case Opcodes.DUP_X1 -> copyDown(1, 2);
            case Opcodes.DUP_X2 -> copyDown(1, 3);
            case Opcodes.DUP2 -> copyDown(2, 2);
            case Opcodes.DUP2_X1 -> copyDown(2, 3);
            case Opcodes.DUP2_X2 -> copyDown(2, 4);
            case Opcodes.SWAP -> stack.add(stack.size() - 1, pop());
            default -> {
                pop(WORDS[opcode].charAt(0) - '0');
                push(WORDS[opcode].charAt(1) - '0');
            }
        }
    }

    /** Inserts a copy of the topmost words below so many. */
    private void copyDown(int words, int below) {
        int from = stack.size() - words;
        List<Entry> copied = from < 0 ? List.of() : List.copyOf(stack.subList(from, stack.size()));
        stack.addAll(Math.max(0, stack.size() - below), copied);
    }
}
