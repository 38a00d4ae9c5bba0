package dev.cerrojo.idempotency;

import dev.cerrojo.internal.GuardTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of requests. */
enum RequestColumns implements ClaimColumns<RequestKey, StoredResponse> {
    /** The one of Cerrojo's schema. */
    DEFAULT;

    private static final ClaimStatements STATEMENTS = ClaimStatements.of(
            GuardTable.DEFAULT_SCHEMA + ".api_request", List.of("operation", "caller", "key"), response());

    /** In their order. */
    private static Map<String, String> response() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("response_status", "int");
        columns.put("response_headers", "text[]");
        columns.put("response_body", "bytea");
        return columns;
    }

    @Override
    public ClaimStatements statements() {
        return STATEMENTS;
    }

    @Override
    public List<@Nullable Object> key(RequestKey key) {
        return List.of(key.operation(), key.caller(), key.key());
    }

    @Override
    public List<@Nullable Object> result(StoredResponse response) {
        return List.of(response.status(), response.namesAndValues().toArray(String[]::new), response.body());
    }

    @Override
    public StoredResponse result(ResultSet row) throws SQLException {
        String[] headers = (String[]) row.getArray("response_headers").getArray();
        return StoredResponse.of(row.getInt("response_status"), List.of(headers), row.getBytes("response_body"));
    }
}
