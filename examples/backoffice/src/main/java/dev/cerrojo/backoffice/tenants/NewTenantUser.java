package dev.cerrojo.backoffice.tenants;

/**
 * A user who was just made.
 *
 * @param password generated, and shown only now
 */
public record NewTenantUser(TenantUser user, String password) {}
