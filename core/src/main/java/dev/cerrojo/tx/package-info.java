/** Transactions: {@link dev.cerrojo.tx.Transactions} runs work in them, again when PostgreSQL asks for it. */
@NullMarked
package dev.cerrojo.tx;

import org.jspecify.annotations.NullMarked;
