package dev.cerrojo.backoffice.tenants;

import java.util.UUID;

/** An organization, which is a tenant of the platform. */
public record Organization(UUID id, String name) {}
