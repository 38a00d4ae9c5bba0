package dev.cerrojo.backoffice.shifts;

import java.util.List;
import java.util.UUID;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The same without protection: what most services do. For the test that shows what protection is for. */
@Service
@ConditionalOnProperty(name = "backoffice.protection", havingValue = "off")
class UnguardedOnCall implements OnCall {
    private final OnCallStatements statements;

    UnguardedOnCall(OnCallStatements statements) {
        this.statements = statements;
    }

    @Override
    @Transactional(readOnly = true)
    public List<Shift> shifts(UUID organization) {
        return statements.shifts(organization);
    }

    @Override
    @Transactional(readOnly = true)
    public List<Doctor> doctors(UUID organization, long shift) {
        return statements.doctors(organization, shift);
    }

    @Override
    @Transactional
    public Shift create(UUID organization, String name, Doctor first) {
        return statements.create(organization, name, first);
    }

    @Override
    @Transactional
    public void assign(UUID organization, long shift, Doctor doctor) {
        statements.assign(organization, shift, doctor);
    }

    @Override
    @Transactional
    public void remove(UUID organization, long shift, String doctor) {
        statements.remove(organization, shift, doctor);
    }

    @Override
    @Transactional
    public int removeExpired(long shift) {
        return statements.removeExpired(shift);
    }

    @Override
    @Transactional(readOnly = true)
    public List<Long> shiftsWithExpired() {
        return statements.shiftsWithExpired();
    }
}
