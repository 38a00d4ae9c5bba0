/** Searching all schedules: {@link dev.cerrojo.explorer.search.Search} explores what a subject can do. */
@NullMarked
package dev.cerrojo.explorer.search;

import org.jspecify.annotations.NullMarked;
