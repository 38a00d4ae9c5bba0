package dev.cerrojo.explorer.project;

import dev.cerrojo.explorer.project.Project.Kind;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a dependency is a sign of.
 *
 * @param dependency what its whole name matches
 */
record Sign(Kind kind, String value, Pattern dependency) {
    static final List<Sign> ALL = List.of(
            sign(
                    Kind.FRAMEWORK,
                    "Spring Boot",
                    "(org\\.springframework\\.boot:.*|plugin:org\\.springframework\\.boot)"),
            sign(Kind.FRAMEWORK, "Spring", "org\\.springframework:spring-.*"),
            sign(Kind.FRAMEWORK, "Quarkus", "(io\\.quarkus(\\.platform)?:.*|plugin:io\\.quarkus)"),
            sign(Kind.FRAMEWORK, "Micronaut", "(io\\.micronaut:.*|plugin:io\\.micronaut\\.application)"),
            sign(Kind.FRAMEWORK, "NestJS", "@nestjs/core"),
            sign(Kind.FRAMEWORK, "Express", "express"),
            sign(Kind.FRAMEWORK, "Fastify", "fastify"),
            sign(
                    Kind.ORM,
                    "Hibernate (JPA)",
                    ".*:(hibernate-core.*|hibernate-entitymanager|spring-boot-starter-data-jpa|quarkus-hibernate-orm.*)"),
            sign(Kind.ORM, "Spring Data JDBC", ".*:(spring-boot-starter-data-jdbc|spring-data-jdbc)"),
            sign(Kind.ORM, "jOOQ", ".*:(jooq|spring-boot-starter-jooq)"),
            sign(Kind.ORM, "MyBatis", "org\\.mybatis.*"),
            sign(Kind.ORM, "Jdbi", "org\\.jdbi:.*"),
            sign(Kind.ORM, "Prisma", "(@prisma/client|prisma)"),
            sign(Kind.ORM, "TypeORM", "typeorm"),
            sign(Kind.ORM, "Sequelize", "sequelize"),
            sign(Kind.ORM, "Drizzle", "drizzle-orm"),
            sign(Kind.ORM, "Knex", "knex"),
            sign(Kind.DRIVER, "PostgreSQL JDBC driver", ".*:(postgresql|quarkus-jdbc-postgresql)"),
            sign(Kind.DRIVER, "PostgreSQL R2DBC driver", ".*:r2dbc-postgresql"),
            sign(Kind.DRIVER, "Vert.x PostgreSQL client", ".*:(quarkus-reactive-pg-client|vertx-pg-client)"),
            sign(Kind.DRIVER, "node-postgres", "pg"),
            sign(Kind.DRIVER, "Postgres.js", "postgres"),
            sign(Kind.MIGRATIONS, "Flyway", ".*:(flyway-.*|quarkus-flyway)"),
            sign(Kind.MIGRATIONS, "Liquibase", ".*:(liquibase-.*|quarkus-liquibase)"));

    private static Sign sign(Kind kind, String value, String dependency) {
        return new Sign(kind, value, Pattern.compile(dependency));
    }

    boolean isGivenBy(String name) {
        return dependency.matcher(name).matches();
    }
}
