package dev.cerrojo.spring;

import dev.cerrojo.spring.OperandStack.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows the bean itself through one method, in one pass from its first instruction to its last, and reports each call on it.
 *
 * <p>What may be the bean on one of several ways is taken for it. What comes from a field, a parameter or a call is not: that is how a
 * bean calls itself through its proxy.
 */
final class SelfCallScan extends MethodVisitor {
    /** What {@link #report} gets: whom, whether as {@code super}, and in which line. */
    record Found(Signature callee, boolean isSuper, int line) {}

    private final Set<String> beanTypes;
    private final Consumer<Found> report;
    private final Map<Integer, Entry> locals = new HashMap<>();
    private final Map<Label, OperandStack> jumps = new HashMap<>();
    private final Set<Label> handlers = new HashSet<>();
    private @Nullable OperandStack stack = new OperandStack();
    private int line;

    /**
     * Begins a method.
     *
     * @param beanTypes the bean's class and those that it extends or implements, as class files name them
     * @param locals what parameters are known to be, {@code this} being number 0
     */
    SelfCallScan(Set<String> beanTypes, Map<Integer, Entry> locals, Consumer<Found> report) {
        super(SpringAsmInfo.ASM_VERSION);
        this.beanTypes = beanTypes;
        this.report = report;
        this.locals.putAll(locals);
    }

    /** After an unconditional jump nothing is known until a label or a frame tells. */
    private OperandStack stack() {
        if (stack == null) {
            stack = new OperandStack();
        }
        return stack;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        line = number;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        handlers.add(handler);
    }

    @Override
    public void visitLabel(Label label) {
        OperandStack jumped = jumps.remove(label);
        if (handlers.contains(label)) {
            stack = new OperandStack();
            stack.push(Entry.OTHER);
        } else if (stack == null) {
            stack = jumped;
        } else if (jumped != null) {
            stack.merge(jumped);
        }
    }

    @Override
    public void visitFrame(int type, int localCount, Object[] local, int stackCount, Object[] entries) {
        if (stack != null) {
            return;
        }
        stack = new OperandStack();
        for (int i = 0; i < stackCount; i++) {
            boolean wide = entries[i] == Opcodes.LONG || entries[i] == Opcodes.DOUBLE;
            stack.push(wide ? 2 : 1);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        stack().execute(opcode);
        if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
            stack = null;
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        stack().execute(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        if (opcode == Opcodes.ALOAD) {
            stack().push(locals.getOrDefault(variable, Entry.OTHER));
        } else if (opcode == Opcodes.ASTORE) {
            locals.put(variable, stack().pop());
        } else {
            stack().execute(opcode);
        }
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode != Opcodes.CHECKCAST) {
            stack().execute(opcode);
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int words = Type.getType(descriptor).getSize();
        switch (opcode) {
            case Opcodes.GETSTATIC -> stack().push(words);
            case Opcodes.PUTSTATIC -> stack().pop(words);
            case Opcodes.PUTFIELD -> stack().pop(words + 1);
            default -> read(name, Type.getType(descriptor));
        }
    }

    /** The object around an inner one is in a field that the compiler makes. */
    private void read(String name, Type type) {
        boolean outer = stack().pop() == Entry.INNER && name.startsWith("this$");
        if (outer) {
            stack().push(beanTypes.contains(type.getInternalName()) ? Entry.BEAN : Entry.INNER);
        } else {
            stack().push(type.getSize());
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        int arguments = words(descriptor);
        if (opcode != Opcodes.INVOKESTATIC) {
            if (stack().below(arguments) == Entry.BEAN) {
                report.accept(new Found(new Signature(name, descriptor), opcode == Opcodes.INVOKESPECIAL, line));
            }
            stack().pop();
        }
        stack().pop(arguments);
        stack().push(Type.getReturnType(descriptor).getSize());
    }

    private static int words(String descriptor) {
        return (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - 1;
    }

    /** A method reference on the bean: what it refers to will be called on the bean itself. */
    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        int captured = words(descriptor);
        if (captured > 0 && stack().below(captured - 1) == Entry.BEAN) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle && handle.getTag() != Opcodes.H_INVOKESTATIC) {
                    report.accept(new Found(new Signature(handle.getName(), handle.getDesc()), false, line));
                }
            }
        }
        stack().pop(captured);
        stack().push(Type.getReturnType(descriptor).getSize());
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        stack().execute(opcode);
        jump(label);
        if (opcode == Opcodes.GOTO) {
            stack = null;
        }
    }

    private void jump(Label label) {
        OperandStack known = jumps.putIfAbsent(label, stack().copy());
        if (known != null) {
            known.merge(stack());
        }
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        visitSwitch(otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        visitSwitch(otherwise, labels);
    }

    private void visitSwitch(Label otherwise, Label[] labels) {
        stack().pop();
        jump(otherwise);
        for (Label label : labels) {
            jump(label);
        }
        stack = null;
    }

    @Override
    public void visitLdcInsn(Object value) {
        stack().push(value instanceof Long || value instanceof Double ? 2 : 1);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        stack().pop(dimensions);
        stack().push(1);
    }
}
