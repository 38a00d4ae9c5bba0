/** Updates that are refused when the row has changed: {@link dev.cerrojo.optimistic.OptimisticTable} makes them. */
@NullMarked
package dev.cerrojo.optimistic;

import org.jspecify.annotations.NullMarked;
