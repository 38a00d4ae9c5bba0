/** Transactions: {@link dev.cerrojo.tx.Isolation} names their levels. */
@NullMarked
package dev.cerrojo.tx;

import org.jspecify.annotations.NullMarked;
