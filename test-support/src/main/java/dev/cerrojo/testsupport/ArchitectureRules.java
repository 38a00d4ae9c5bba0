package dev.cerrojo.testsupport;

import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What every module keeps to. A module's test class takes all of it in:
 *
 * <pre>{@code
 * @AnalyzeClasses(packages = "dev.cerrojo", importOptions = ArchitectureRules.ProductionClasses.class)
 * class ArchitectureTest {
 *     @ArchTest
 *     static final ArchTests RULES = ArchTests.in(ArchitectureRules.class);
 * }
 * }</pre>
 */
public final class ArchitectureRules {
    /** No package uses, by whatever way, a package that uses it. */
    @ArchTest
    public static final ArchRule PACKAGES_FORM_A_TREE =
            slices().matching("dev.cerrojo.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    /** A feature of core uses only the features that the design lets it use. */
    @ArchTest
    public static final ArchRule CORE_FEATURES_STAND_ALONE =
            classes().should(FeatureArrows.condition()).as("features of core use only what the design lets them use");

    /** The engine knows the library, never the other way round, and nothing knows the command line. */
    @ArchTest
    public static final ArchRule MODULES_POINT_DOWNWARDS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cerrojo.cli..")
            .should(dependOnClassesThat(Predicates.resideInAPackage("dev.cerrojo.cli..")));

    /** Nullness is declared once per package. */
    @ArchTest
    public static final ArchRule PACKAGES_ARE_NULL_MARKED = classes().should(NullMarkedPackage.condition());

    /** A library is silent: only the command line prints. */
    @ArchTest
    public static final ArchRule ONLY_THE_COMMAND_LINE_PRINTS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cerrojo.cli..")
            .should(ACCESS_STANDARD_STREAMS)
            .allowEmptyShould(true);

    /** Logging is {@link System.Logger}, which costs the user no dependency. */
    @ArchTest
    public static final ArchRule LOGGING_IS_SYSTEM_LOGGER = noClasses()
            .that()
            // its getParentLogger() is part of JDBC
            .areNotAssignableTo(javax.sql.CommonDataSource.class)
            .should(dependOnClassesThat(Predicates.resideInAnyPackage(
                    "java.util.logging..",
                    "org.slf4j..",
                    "org.apache.commons.logging..",
                    "org.apache.logging..",
                    "org.apache.log4j..")));

    /** A name says what a thing is or how it works. */
    @ArchTest
    public static final ArchRule NAMES_SAY_SOMETHING =
            noClasses().should(haveEmptyName()).as("no class is a Manager, Helper, Util, Impl or Abstract…");

    private ArchitectureRules() {}

    /**
     * What users can see has a comment.
     *
     * @param ignored the module's classes; the rule reads the sources of the module that the tests run in
     * @throws IOException when they cannot be read
     */
    @ArchTest
    public static void publicThingsAreCommented(JavaClasses ignored) throws IOException {
        List<String> missing = ApiComments.missingIn(Path.of("src/main/java"));
        if (!missing.isEmpty()) {
            throw new AssertionError(String.join("\n", missing));
        }
    }

    private static ArchCondition<JavaClass> haveEmptyName() {
        return ArchCondition.from(Predicates.simpleNameStartingWith("Abstract")
                .or(Predicates.simpleNameEndingWith("Manager"))
                .or(Predicates.simpleNameEndingWith("Helper"))
                .or(Predicates.simpleNameEndingWith("Util"))
                .or(Predicates.simpleNameEndingWith("Utils"))
                .or(Predicates.simpleNameEndingWith("Impl")));
    }

    /** Our classes as users get them: no tests, and no test support. */
    public static final class ProductionClasses implements ImportOption {
        private final ImportOption noTests = new ImportOption.DoNotIncludeTests();

        @Override
        public boolean includes(Location location) {
            return noTests.includes(location) && !location.contains("/dev/cerrojo/testsupport/");
        }
    }
}
