package dev.cerrojo.backoffice.security;

/** What a role may allow. */
public enum Permission {
    /** A user of the platform. */
    PLATFORM,
    /** May make users of the platform. */
    CREATE_PLATFORM_USERS,
    /** May deactivate users, change roles, and pass through to any organization. */
    MANAGE_USERS,
    /** A user of an organization. */
    TENANT,
    /** May manage users and shifts of the own organization. */
    MANAGE_OWN_ORGANIZATION
}
