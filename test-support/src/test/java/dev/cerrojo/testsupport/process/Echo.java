package dev.cerrojo.testsupport.process;

/** Prints that it is there, then its count every few milliseconds, for ever. */
final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("hello " + arguments[0]);
        for (long count = 0; ; count++) {
            System.out.println("count " + count);
            Thread.sleep(5);
        }
    }
}
