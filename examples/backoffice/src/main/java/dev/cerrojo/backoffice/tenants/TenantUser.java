package dev.cerrojo.backoffice.tenants;

import java.util.UUID;

/**
 * A user of an organization.
 *
 * @param role {@code manager} or {@code member}
 */
public record TenantUser(UUID id, UUID organizationId, String email, String role, boolean active) {}
