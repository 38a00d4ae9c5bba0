package dev.cerrojo.backoffice.tenants;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Organizations and their users, over HTTP: for the organization's own managers below {@code /organizations}, and for
 * operators of the platform, who pass through to any of them, below {@code /platform/organizations}. Both are the same
 * protected operations.
 */
@RestController
class TenantController {
    private static final String OWN = "/organizations/{organization}/users";
    private static final String PASSTHROUGH = "/platform" + OWN;

    private final Tenants tenants;

    TenantController(Tenants tenants) {
        this.tenants = tenants;
    }

    record NewOne(@NotBlank String name, @Email @NotBlank String managerEmail) {}

    record NewUser(@Email @NotBlank String email, @NotBlank String role) {}

    record NewRole(@NotBlank String role) {}

    @GetMapping("/platform/organizations")
    List<Organization> organizations() {
        return tenants.organizations();
    }

    @PostMapping("/platform/organizations")
    @ResponseStatus(HttpStatus.CREATED)
    NewOrganization create(@Valid @RequestBody NewOne organization) {
        return tenants.create(organization.name(), organization.managerEmail());
    }

    @GetMapping({OWN, PASSTHROUGH})
    List<TenantUser> users(@PathVariable UUID organization) {
        return tenants.users(organization);
    }

    @PostMapping({OWN, PASSTHROUGH})
    @ResponseStatus(HttpStatus.CREATED)
    NewTenantUser createUser(@PathVariable UUID organization, @Valid @RequestBody NewUser user) {
        return tenants.createUser(organization, user.email(), user.role());
    }

    @PostMapping({OWN + "/{user}/deactivate", PASSTHROUGH + "/{user}/deactivate"})
    void deactivate(@PathVariable UUID organization, @PathVariable UUID user) {
        tenants.deactivate(organization, user);
    }

    @PostMapping({OWN + "/{user}/role", PASSTHROUGH + "/{user}/role"})
    void changeRole(@PathVariable UUID organization, @PathVariable UUID user, @Valid @RequestBody NewRole role) {
        tenants.changeRole(organization, user, role.role());
    }
}
