/** Sessions for tests on a real server: {@link dev.cerrojo.sessions.Session} runs statements, and waits without sleeping. */
@NullMarked
package dev.cerrojo.sessions;

import org.jspecify.annotations.NullMarked;
