package dev.cerrojo.backoffice.shifts;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shifts, over HTTP: for the organization itself, and for operators of the platform, who pass through. */
@RestController
class ShiftController {
    private static final String OWN = "/organizations/{organization}/shifts";
    private static final String PASSTHROUGH = "/platform" + OWN;
    private static final String DOCTORS = "/{shift}/doctors";

    private final OnCall onCall;

    ShiftController(OnCall onCall) {
        this.onCall = onCall;
    }

    record NewDoctor(@NotBlank String doctor, @Nullable Instant expiresAt) {
        Doctor onCall() {
            return new Doctor(doctor, true, expiresAt);
        }
    }

    record NewShift(@NotBlank String name, @Valid NewDoctor first) {}

    @GetMapping({OWN, PASSTHROUGH})
    List<Shift> shifts(@PathVariable UUID organization) {
        return onCall.shifts(organization);
    }

    @PostMapping({OWN, PASSTHROUGH})
    @ResponseStatus(HttpStatus.CREATED)
    Shift create(@PathVariable UUID organization, @Valid @RequestBody NewShift shift) {
        return onCall.create(organization, shift.name(), shift.first().onCall());
    }

    @GetMapping({OWN + DOCTORS, PASSTHROUGH + DOCTORS})
    List<Doctor> doctors(@PathVariable UUID organization, @PathVariable long shift) {
        return onCall.doctors(organization, shift);
    }

    @PostMapping({OWN + DOCTORS, PASSTHROUGH + DOCTORS})
    void assign(@PathVariable UUID organization, @PathVariable long shift, @Valid @RequestBody NewDoctor doctor) {
        onCall.assign(organization, shift, doctor.onCall());
    }

    @DeleteMapping({OWN + DOCTORS + "/{doctor}", PASSTHROUGH + DOCTORS + "/{doctor}"})
    void remove(@PathVariable UUID organization, @PathVariable long shift, @PathVariable String doctor) {
        onCall.remove(organization, shift, doctor);
    }
}
