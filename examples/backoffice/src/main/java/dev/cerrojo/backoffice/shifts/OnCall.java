package dev.cerrojo.backoffice.shifts;

import java.util.List;
import java.util.UUID;

/** Who is on call: the one service that the API, operators and the clean-up job go through. */
public interface OnCall {
    /** {@return the organization's shifts, by id} */
    List<Shift> shifts(UUID organization);

    /** {@return the shift's doctors, by name} */
    List<Doctor> doctors(UUID organization, long shift);

    /** Makes a shift with its first doctor, so that it is never without one. */
    Shift create(UUID organization, String name, Doctor first);

    /** Puts a doctor on call. */
    void assign(UUID organization, long shift, Doctor doctor);

    /**
     * Takes a doctor off a shift. Nothing happens to one who is off.
     *
     * @throws dev.cerrojo.backoffice.web.RefusedException when the shift has nobody else, or no such doctor
     */
    void remove(UUID organization, long shift, String doctor);

    /**
     * Takes those off a shift whose time is over; but for one, where nobody else would be left.
     *
     * @return how many were taken off
     */
    int removeExpired(long shift);

    /** {@return the shifts that have somebody whose time is over} */
    List<Long> shiftsWithExpired();
}
