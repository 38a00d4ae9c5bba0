package dev.cerrojo.backoffice.security;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Who makes a request.
 *
 * @param id of the platform's or the organization's user
 * @param organization the organization's; empty for users of the platform
 * @param may what its role allows
 */
public record Account(
        UUID id, String username, String password, boolean enabled, Optional<UUID> organization, List<Permission> may)
        implements UserDetails {
    private static final long serialVersionUID = 1;

    static Account platform(
            UUID id,
            String email,
            String passwordHash,
            boolean active,
            boolean createsPlatformUsers,
            boolean managesUsers) {
        List<Permission> may = Stream.of(
                        Stream.of(Permission.PLATFORM),
                        when(createsPlatformUsers, Permission.CREATE_PLATFORM_USERS),
                        when(managesUsers, Permission.MANAGE_USERS))
                .flatMap(permissions -> permissions)
                .toList();
        return new Account(id, email, passwordHash, active, Optional.empty(), may);
    }

    static Account tenant(
            UUID id, String email, String passwordHash, boolean active, UUID organization, boolean manager) {
        List<Permission> may = Stream.concat(
                        Stream.of(Permission.TENANT), when(manager, Permission.MANAGE_OWN_ORGANIZATION))
                .toList();
        return new Account(id, email, passwordHash, active, Optional.of(organization), may);
    }

    private static Stream<Permission> when(boolean condition, Permission permission) {
        return condition ? Stream.of(permission) : Stream.empty();
    }

    @Override
    public Collection<SimpleGrantedAuthority> getAuthorities() {
        return may.stream()
                .map(permission -> new SimpleGrantedAuthority(permission.name()))
                .toList();
    }

    @Override
    public String getPassword() {
        return password;
    }

    @Override
    public String getUsername() {
        return username;
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    /** Tells no password. */
    @Override
    public String toString() {
        return username;
    }
}
