package dev.cerrojo.backoffice.platform;

import java.util.List;
import java.util.UUID;

/** What can be done to users of the platform. */
public interface PlatformUsers {
    /** {@return all of them, by email} */
    List<PlatformUser> all();

    /**
     * Makes a user.
     *
     * @return the user, and a password that is shown only now
     */
    NewPlatformUser create(String email, String role);

    /**
     * Takes a user's access away. Nothing happens to one who has none.
     *
     * @throws dev.cerrojo.backoffice.web.RefusedException when nobody else can create platform users, or there is no such user
     */
    void deactivate(UUID user);

    /**
     * Gives a user another role.
     *
     * @throws dev.cerrojo.backoffice.web.RefusedException when nobody else can create platform users, or there is no such user
     *     or role
     */
    void changeRole(UUID user, String role);
}
