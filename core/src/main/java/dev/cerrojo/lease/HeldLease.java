package dev.cerrojo.lease;

/** To come. */
abstract non-sealed class HeldLease implements Lease {}
