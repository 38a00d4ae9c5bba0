package dev.cerrojo.backoffice.tenants;

/** An organization that was just made, with its first manager. */
public record NewOrganization(Organization organization, NewTenantUser manager) {}
