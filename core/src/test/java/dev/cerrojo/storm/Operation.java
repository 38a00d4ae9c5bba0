package dev.cerrojo.storm;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * What a client wants to do.
 *
 * @param sql one statement
 * @param organizations those that it may change
 */
record Operation(String sql, List<Integer> organizations) {
    private static final String ANOTHER = """
             AND EXISTS (SELECT 1 FROM member AS other WHERE other.organization = m.organization AND other.name <> m.name
              AND other.active AND other.role = 'administrator')""";

    Operation {
        organizations = List.copyOf(organizations);
    }

    /**
     * {@return any}
     *
     * @param careful whether it first looks for another administrator, as a careful application does
     */
    static Operation random(Random random, boolean careful) {
        int organization = random.nextInt(Backoffice.ORGANIZATIONS);
        int other = random.nextInt(Backoffice.ORGANIZATIONS);
        String member =
                "m.organization = %d AND m.name = 'm%d'".formatted(organization, random.nextInt(Backoffice.MEMBERS));
        String check = careful ? ANOTHER : "";
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> of("UPDATE member AS m SET active = false WHERE " + member + check, organization);
            case 3 -> of("UPDATE member AS m SET role = 'guest' WHERE " + member + check, organization);
            case 4 -> of("UPDATE member AS m SET role = 'administrator', active = true WHERE " + member, organization);
            case 5 -> of("UPDATE member AS m SET role = 'operator' WHERE " + member + check, organization);
            case 6 -> of("DELETE FROM member AS m WHERE " + member + check, organization);
            case 7 -> insert(organization, random);
            case 8 ->
                of(
                        "UPDATE organization AS o SET open = NOT open WHERE o.id = %d AND EXISTS (SELECT 1 FROM member AS m"
                                        .formatted(organization)
                                + " WHERE m.organization = o.id AND m.active AND m.role = 'administrator')",
                        organization);
            default ->
                of(
                        "UPDATE member AS m SET active = false WHERE m.organization IN (%d, %d) AND m.name = 'm0'"
                                        .formatted(organization, other)
                                + check,
                        organization,
                        other);
        };
    }

    private static Operation insert(int organization, Random random) {
        return of(
                "INSERT INTO member VALUES (%d, 'm%d', 'administrator', true) ON CONFLICT (organization, name)"
                                .formatted(organization, random.nextInt(Backoffice.MEMBERS))
                        + " DO UPDATE SET role = excluded.role, active = true",
                organization);
    }

    private static Operation of(String sql, Integer... organizations) {
        return new Operation(sql, List.copyOf(new TreeSet<>(List.of(organizations))));
    }
}
