/** What the modules' tests share: {@link dev.cerrojo.testsupport.TestDatabase} and the architecture rules. */
@NullMarked
package dev.cerrojo.testsupport;

import org.jspecify.annotations.NullMarked;
