/** Organizations and their users, each with a manager at any time. */
@NullMarked
package dev.cerrojo.backoffice.tenants;

import org.jspecify.annotations.NullMarked;
