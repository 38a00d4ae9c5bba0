/** Programs in processes of their own: {@link dev.cerrojo.testsupport.process.TestProcess}, and {@link dev.cerrojo.testsupport.process.ChildJvm}. */
@NullMarked
package dev.cerrojo.testsupport.process;

import org.jspecify.annotations.NullMarked;
