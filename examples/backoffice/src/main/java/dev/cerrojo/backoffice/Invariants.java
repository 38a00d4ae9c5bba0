package dev.cerrojo.backoffice;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.invariant.Rule.Watch;
import dev.cerrojo.invariant.SerializationPoint;
import java.util.List;

/** What must hold whatever runs at once, and what transactions that may break it take first. */
public final class Invariants {
    /** About the whole platform. */
    public static final Invariant PLATFORM_ADMINISTRATOR = Invariant.named("platform_administrator")
            .says("at least one active user can create platform users")
            .violatedBy("""
                    SELECT 'nobody can create platform users' AS problem WHERE NOT EXISTS (
                      SELECT FROM platform_user u JOIN platform_role r ON r.name = u.role
                      WHERE u.active AND r.creates_platform_users)""", Watch.of("platform_user"), Watch.of("platform_role"));

    /** About each organization. */
    public static final Invariant TENANT_MANAGER = Invariant.named("tenant_manager")
            .says("every organization keeps at least one active manager")
            .per("organization", "id")
            .atLeast(1, Rows.of("tenant_user").by("organization_id").where("active AND role = 'manager'"));

    /** About each shift. */
    public static final Invariant ON_CALL_COVERAGE = Invariant.named("on_call_coverage")
            .says("every active shift keeps at least one doctor on call")
            .per("shift", "id")
            .where("active")
            .atLeast(1, Rows.of("on_call").by("shift_id").where("active"));

    private static final int PLATFORM_CLASS = 74920;
    private static final int TENANTS_CLASS = 74921;

    /** The advisory lock that other services of the platform take, too: class 74920, object 0. */
    public static final SerializationPoint PLATFORM =
            SerializationPoint.advisory(PLATFORM_ADMINISTRATOR, PLATFORM_CLASS, "0");

    /** The advisory lock that other services of the platform take, too: class 74921, object hashtext(organization). */
    public static final SerializationPoint TENANTS =
            SerializationPoint.advisory(TENANT_MANAGER, TENANTS_CLASS, "hashtext(:scope)");

    /** The guard row of a shift. */
    public static final SerializationPoint SHIFTS = SerializationPoint.touch(ON_CALL_COVERAGE);

    private Invariants() {}

    /** {@return all of them} */
    public static List<Invariant> all() {
        return List.of(PLATFORM_ADMINISTRATOR, TENANT_MANAGER, ON_CALL_COVERAGE);
    }
}
