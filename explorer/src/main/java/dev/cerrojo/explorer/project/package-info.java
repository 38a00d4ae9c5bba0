/**
 * Looks at a project's own files: what it is built with, and which of its source files write tables. Begins with
 * {@link dev.cerrojo.explorer.project.ProjectReader}.
 */
@NullMarked
package dev.cerrojo.explorer.project;

import org.jspecify.annotations.NullMarked;
