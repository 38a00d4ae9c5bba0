/** Products, which editors and workers write at the same time. */
@NullMarked
package dev.cerrojo.backoffice.catalogue;

import org.jspecify.annotations.NullMarked;
