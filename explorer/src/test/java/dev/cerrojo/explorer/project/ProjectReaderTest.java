package dev.cerrojo.explorer.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.project.Project.Kind;
import dev.cerrojo.explorer.project.Project.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectReaderTest {
    private static final List<String> TABLES = List.of("on_call", "app.\"shift\"");

    @TempDir
    private Path folder;

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Project project() throws IOException {
        return ProjectReader.read(folder, TABLES);
    }

    private static List<String> values(Project project, Kind kind) {
        return project.facts().getOrDefault(kind, List.of()).stream()
                .map(Project.Fact::value)
                .toList();
    }

    /** {@return {@code path:line what}, of the program's own files} */
    private static List<String> writes(Project project) {
        return writes(project, Use.PROGRAM);
    }

    private static List<String> writes(Project project, Use use) {
        return project.writers().stream()
                .filter(writer -> writer.use() == use)
                .flatMap(writer ->
                        writer.writes().stream().map(write -> writer.path() + ":" + write.line() + " " + write.what()))
                .toList();
    }

    @Nested
    class OfMavenSpringAndHibernate {
        @Test
        void isKnownByItsPomAndItsSources() throws IOException {
            file("pom.xml", """
                    <project xmlns="http://maven.apache.org/POM/4.0.0">
                      <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId></parent>
                      <dependencies>
                        <dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-data-jpa</artifactId></dependency>
                        <dependency><groupId>org.postgresql</groupId><artifactId>postgresql</artifactId><scope>runtime</scope></dependency>
                        <dependency><groupId>org.flywaydb</groupId><artifactId>flyway-core</artifactId></dependency>
                      </dependencies>
                    </project>
                    """);
            file("src/main/resources/db/migration/V1__rota.sql", "INSERT INTO on_call VALUES (1);\n");
            file("src/main/java/rota/OnCall.java", """
                    package rota;
                    @Entity
                    @Table(name = "on_call")
                    public class OnCall { @Id Long id; }
                    """);
            file("src/main/java/rota/Rota.java", """
                    @Repository
                    public interface Rota extends JpaRepository<OnCall, Long> {
                        @Modifying
                        @Query("update OnCall c set c.active = false where c.id = :id")
                        void leave(long id);
                    }
                    """);
            file("src/main/java/rota/Service.java", """
                    class Service {
                        private final Rota rota;
                        void add(OnCall call) {
                            rota.save(call);
                        }
                        void clean(JdbcTemplate jdbc) {
                            jdbc.update("DELETE FROM on_call WHERE expired");
                        }
                    }
                    """);
            file(
                    "src/main/java/rota/Reader.java",
                    "class Reader { String all = \"SELECT * FROM on_call\"; Rota rota; }\n");
            file(
                    "src/test/java/rota/ServiceTest.java",
                    "class ServiceTest { String sql = \"insert into shift values (1)\"; }\n");
            file("target/classes/Copy.java", "String sql = \"DELETE FROM on_call\";\n");

            Project project = project();

            assertThat(values(project, Kind.BUILD_TOOL)).containsExactly("Maven");
            assertThat(values(project, Kind.FRAMEWORK)).containsExactly("Spring Boot");
            assertThat(values(project, Kind.ORM)).containsExactly("Hibernate (JPA)");
            assertThat(values(project, Kind.DRIVER)).containsExactly("PostgreSQL JDBC driver");
            assertThat(project.facts().get(Kind.MIGRATIONS))
                    .containsExactly(new Project.Fact("Flyway", "src/main/resources/db/migration/", ""));
            assertThat(writes(project))
                    .containsExactly(
                            "src/main/java/rota/Rota.java:4 update OnCall",
                            "src/main/java/rota/Service.java:4 rota.save()",
                            "src/main/java/rota/Service.java:7 DELETE FROM on_call");
            assertThat(writes(project, Use.MIGRATION)).hasSize(1);
            assertThat(writes(project, Use.TEST)).hasSize(1);
        }
    }

    @Nested
    class OfGradleAndQuarkus {
        @Test
        void isKnownByItsTextAsFarAsThatGoes() throws IOException {
            file("build.gradle.kts", """
                    plugins { id("io.quarkus") }
                    dependencies {
                        implementation(enforcedPlatform("${platform}:quarkus-bom:3.0"))
                        implementation("io.quarkus:quarkus-hibernate-orm-panache")
                        implementation("io.quarkus:quarkus-jdbc-postgresql")
                        implementation("io.quarkus:quarkus-liquibase")
                    }
                    """);
            file("src/main/resources/db/changeLog.xml", "<databaseChangeLog/>\n");
            file("src/main/kotlin/OnCallRepository.kt", """
                    @ApplicationScoped
                    class OnCallRepository : PanacheRepository<OnCall> {
                        fun leave(id: Long) = update("active = false where id = ?1", id)
                    }
                    """);
            file("src/main/kotlin/OnCall.kt", """
                    @Table(name = "on_call", schema = "app")
                    @Entity
                    class OnCall : PanacheEntity()
                    """);
            file("src/main/kotlin/Rota.kt", """
                    class Rota(val calls: OnCallRepository) {
                        fun drop(call: OnCall) { calls.delete(call) }
                        fun end() { OnCall.deleteAll() }
                    }
                    """);

            Project project = project();

            assertThat(values(project, Kind.BUILD_TOOL)).containsExactly("Gradle");
            assertThat(values(project, Kind.FRAMEWORK)).containsExactly("Quarkus");
            assertThat(values(project, Kind.ORM)).containsExactly("Hibernate (JPA)");
            assertThat(values(project, Kind.DRIVER)).containsExactly("PostgreSQL JDBC driver");
            assertThat(values(project, Kind.MIGRATIONS)).containsExactly("Liquibase");
            assertThat(writes(project))
                    .containsExactly(
                            "src/main/kotlin/OnCallRepository.kt:3 update()",
                            "src/main/kotlin/Rota.kt:2 calls.delete()",
                            "src/main/kotlin/Rota.kt:3 OnCall.deleteAll()");
        }

        @Test
        void aBuildFileThatSaysNothingIsUnknown() throws IOException {
            file("build.gradle", "apply from: 'elsewhere.gradle'\n");

            Project project = project();

            assertThat(values(project, Kind.BUILD_TOOL)).containsExactly("Gradle");
            assertThat(project.facts()).doesNotContainKeys(Kind.FRAMEWORK, Kind.ORM, Kind.DRIVER, Kind.MIGRATIONS);
            assertThat(project.writers()).isEmpty();
        }
    }

    @Nested
    class OfNpm {
        @Test
        void nestAndPrismaAreKnown() throws IOException {
            file("package.json", """
                    {"dependencies": {"@nestjs/core": "11", "@prisma/client": "6"}, "devDependencies": {"prisma": "6"}}
                    """);
            file("prisma/schema.prisma", """
                    datasource db {
                      provider = "postgresql"
                    }
                    model Assignment {
                      id Int @id
                      @@map("on_call")
                    }
                    model Other {
                      id Int @id
                    }
                    """);
            file("prisma/migrations/20260101_init/migration.sql", "INSERT INTO \"on_call\" VALUES (1);\n");
            file("src/rota.service.ts", """
                    export class RotaService {
                      async leave(id: number) {
                        await this.prisma.assignment.update({ where: { id } });
                        await this.prisma.other.update({ where: { id } });
                        await this.prisma.$executeRaw`UPDATE "on_call" SET active = false`;
                        return this.prisma.assignment.findMany();
                      }
                    }
                    """);
            file("node_modules/x/index.js", "db.query('DELETE FROM on_call')\n");

            Project project = project();

            assertThat(values(project, Kind.BUILD_TOOL)).containsExactly("npm");
            assertThat(values(project, Kind.FRAMEWORK)).containsExactly("NestJS");
            assertThat(values(project, Kind.ORM)).containsExactly("Prisma");
            assertThat(values(project, Kind.DRIVER)).containsExactly("Prisma's own, for PostgreSQL");
            assertThat(project.facts().get(Kind.MIGRATIONS))
                    .containsExactly(new Project.Fact("Prisma", "prisma/migrations/", ""));
            assertThat(writes(project))
                    .containsExactly(
                            "src/rota.service.ts:3 prisma.assignment.update()",
                            "src/rota.service.ts:5 UPDATE \"on_call\"");
        }

        @Test
        void typeOrmIsKnown() throws IOException {
            file("package.json", """
                    {"dependencies": {"express": "5", "typeorm": "0.3", "pg": "8"}}
                    """);
            file("src/migrations/1700000000-init.ts", "export class Init implements MigrationInterface {}\n");
            file("src/on-call.entity.ts", "@Entity({ schema: 'app', name: 'on_call' })\nexport class Assignment {}\n");
            file("src/shift.entity.ts", "@Entity()\nexport class Shift {}\n");
            file("src/rota.ts", """
                    export class Rota {
                      constructor(@InjectRepository(Assignment) private readonly calls: Repository<Assignment>) {}
                      leave(id: number) { return this.calls.update(id, { active: false }); }
                      all() { return this.calls.find(); }
                      end(manager: EntityManager) { return manager.delete(Shift, { id: 1 }); }
                      late() { return source.createQueryBuilder().delete().from(Assignment).execute(); }
                    }
                    """);
            file("src/rota.spec.ts", "getRepository(Shift).save({});\n");

            Project project = project();

            assertThat(values(project, Kind.FRAMEWORK)).containsExactly("Express");
            assertThat(values(project, Kind.ORM)).containsExactly("TypeORM");
            assertThat(values(project, Kind.DRIVER)).containsExactly("node-postgres");
            assertThat(project.facts().get(Kind.MIGRATIONS))
                    .containsExactly(new Project.Fact("TypeORM", "src/migrations/", ""));
            assertThat(writes(project))
                    .containsExactly(
                            "src/rota.ts:3 calls.update()",
                            "src/rota.ts:5 delete(Shift",
                            "src/rota.ts:6 from(Assignment");
            assertThat(writes(project, Use.TEST)).hasSize(1);
        }
    }

    @Test
    void aBuildFileThatIsBrokenIsSaidToBe() throws IOException {
        file("package.json", "{");
        file("service/pom.xml", "<!DOCTYPE p [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><project>&x;</project>");

        Project project = project();

        assertThat(project.facts()).isEmpty();
        assertThat(project.notes())
                .anySatisfy(note -> assertThat(note).startsWith("package.json could not be understood"))
                .anySatisfy(
                        note -> assertThat(note).startsWith("service/pom.xml").contains("DOCTYPE"));
    }

    @Test
    void aFolderThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> ProjectReader.read(folder.resolve("none"), TABLES))
                .isInstanceOf(IOException.class);
    }
}
