package dev.cerrojo.backoffice.web;

import org.springframework.http.HttpStatus;

/** What the service refuses for a reason of its own: each is a type of problem that callers can rely on. */
public enum Refusal {
    /** Nobody could create platform users any more. */
    LAST_PLATFORM_ADMINISTRATOR(
            HttpStatus.BAD_REQUEST,
            "last-platform-administrator",
            "The last platform administrator stays",
            "Nobody else who is active can create platform users: give somebody else that role first."),
    /** An organization would have no manager any more. */
    LAST_TENANT_MANAGER(
            HttpStatus.BAD_REQUEST,
            "last-tenant-manager",
            "The organization's last manager stays",
            "The organization has no other active manager: make somebody else a manager first."),
    /** A shift would have no doctor any more. */
    LAST_DOCTOR_ON_CALL(
            HttpStatus.BAD_REQUEST,
            "last-doctor-on-call",
            "The shift's last doctor stays",
            "The shift is active and has no other doctor on call: put somebody else on call first."),
    /** What was named is not there, or not for the caller to see. */
    NOT_FOUND(HttpStatus.NOT_FOUND, "not-found", "Not found", "Nothing of that name is there for you."),
    /** A value is not one of those allowed. */
    INVALID_VALUE(HttpStatus.BAD_REQUEST, "invalid-value", "Invalid value", "A value is not allowed."),
    /** Another one has changed it in the meantime. */
    CHANGED_MEANWHILE(
            HttpStatus.PRECONDITION_FAILED,
            "changed-meanwhile",
            "Somebody else changed it",
            "Read it again, look at what has changed, and save again.");

    private final HttpStatus status;
    private final String slug;
    private final String title;
    private final String detail;

    Refusal(HttpStatus status, String slug, String title, String detail) {
        this.status = status;
        this.slug = slug;
        this.title = title;
        this.detail = detail;
    }

    /** {@return the HTTP status} */
    public HttpStatus status() {
        return status;
    }

    /** {@return the type of the problem, as a relative reference} */
    public String type() {
        return "/problems/" + slug;
    }

    /** {@return what a person reads first} */
    public String title() {
        return title;
    }

    /** {@return what a person can do} */
    public String detail() {
        return detail;
    }

    /** {@return the exception that says so} */
    public RefusedException refused() {
        return new RefusedException(this, detail);
    }

    /** {@return the exception that says so, in words of the case} */
    public RefusedException refused(String words) {
        return new RefusedException(this, words);
    }
}
