/** What two packages share: {@link dev.cerrojo.internal.Identifiers} quotes, {@link dev.cerrojo.internal.SqlText} reads. */
@NullMarked
package dev.cerrojo.internal;

import org.jspecify.annotations.NullMarked;
