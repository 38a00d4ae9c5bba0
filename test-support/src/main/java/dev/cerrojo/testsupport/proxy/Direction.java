package dev.cerrojo.testsupport.proxy;

/** Which way data goes. */
public enum Direction {
    /** What clients ask. */
    TO_SERVER,
    /** What the server answers. */
    TO_CLIENT
}
