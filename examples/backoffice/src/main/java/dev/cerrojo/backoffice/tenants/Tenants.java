package dev.cerrojo.backoffice.tenants;

import java.util.List;
import java.util.UUID;

/** Organizations, and what can be done to their users. */
public interface Tenants {
    /** {@return all organizations, by name} */
    List<Organization> organizations();

    /** Makes an organization and its first manager, so that it is never without one. */
    NewOrganization create(String name, String managerEmail);

    /** {@return the users of an organization, by email} */
    List<TenantUser> users(UUID organization);

    /** Makes a user of an organization. */
    NewTenantUser createUser(UUID organization, String email, String role);

    /**
     * Takes a user's access away. Nothing happens to one who has none.
     *
     * @throws dev.cerrojo.backoffice.web.RefusedException when the organization has no other active manager, or no such user
     */
    void deactivate(UUID organization, UUID user);

    /**
     * Gives a user another role.
     *
     * @throws dev.cerrojo.backoffice.web.RefusedException when the organization has no other active manager, or no such user
     */
    void changeRole(UUID organization, UUID user, String role);
}
