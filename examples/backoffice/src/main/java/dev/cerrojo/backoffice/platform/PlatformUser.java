package dev.cerrojo.backoffice.platform;

import java.util.UUID;

/**
 * A user of the platform itself.
 *
 * @param role a name in {@code platform_role}
 */
public record PlatformUser(UUID id, String email, String role, boolean active) {}
