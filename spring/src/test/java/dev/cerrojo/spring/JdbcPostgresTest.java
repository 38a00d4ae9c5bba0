package dev.cerrojo.spring;

class JdbcPostgresTest extends AnnotationsContract {
    @Override
    Class<?> configuration() {
        return JdbcConfiguration.class;
    }
}
