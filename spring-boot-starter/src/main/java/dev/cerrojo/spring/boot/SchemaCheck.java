package dev.cerrojo.spring.boot;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import java.sql.SQLException;
import org.springframework.beans.factory.InitializingBean;

/** Does at start what the mode says about Cerrojo's own tables. */
record SchemaCheck(Schema schema, SchemaMode mode) implements InitializingBean {
    @Override
    public void afterPropertiesSet() throws SQLException {
        schema.ready(mode);
    }
}
