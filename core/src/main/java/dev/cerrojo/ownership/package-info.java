/** Who may write which field of an entity: {@link dev.cerrojo.ownership.Ownership} says it, {@link dev.cerrojo.ownership.OwnedTable} writes so. */
@NullMarked
package dev.cerrojo.ownership;

import org.jspecify.annotations.NullMarked;
