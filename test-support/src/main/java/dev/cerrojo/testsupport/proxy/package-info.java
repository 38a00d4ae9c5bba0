/** A TCP proxy that makes faults: {@link dev.cerrojo.testsupport.proxy.TcpProxy}. */
@NullMarked
package dev.cerrojo.testsupport.proxy;

import org.jspecify.annotations.NullMarked;
