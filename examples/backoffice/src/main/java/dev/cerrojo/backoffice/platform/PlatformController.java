package dev.cerrojo.backoffice.platform;

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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Users of the platform, over HTTP. */
@RestController
@RequestMapping("/platform/users")
class PlatformController {
    private final PlatformUsers users;

    PlatformController(PlatformUsers users) {
        this.users = users;
    }

    record NewUser(@Email @NotBlank String email, @NotBlank String role) {}

    record NewRole(@NotBlank String role) {}

    @GetMapping
    List<PlatformUser> all() {
        return users.all();
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    NewPlatformUser create(@Valid @RequestBody NewUser user) {
        return users.create(user.email(), user.role());
    }

    @PostMapping("/{user}/deactivate")
    void deactivate(@PathVariable UUID user) {
        users.deactivate(user);
    }

    @PostMapping("/{user}/role")
    void changeRole(@PathVariable UUID user, @Valid @RequestBody NewRole role) {
        users.changeRole(user, role.role());
    }
}
