package dev.cerrojo.spring;

/**
 * A call of a method on the same object, which does not go through the proxy.
 *
 * @param callee what is called
 * @param callerClass the class that the call is in, with dots
 * @param caller the method that it is in
 * @param place file and line, as stack traces show them
 */
record SelfCall(Signature callee, String callerClass, String caller, String place) {}
