package dev.cerrojo.spring;

import java.lang.reflect.Method;
import org.springframework.asm.Type;

/** A method as class files name it, whatever class it is in. */
record Signature(String name, String descriptor) {
    static Signature of(Method method) {
        return new Signature(method.getName(), Type.getMethodDescriptor(method));
    }
}
