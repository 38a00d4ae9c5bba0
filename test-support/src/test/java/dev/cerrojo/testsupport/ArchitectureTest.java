package dev.cerrojo.testsupport;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** Of this module and of the embedded server, which cannot depend on this one. */
@AnalyzeClasses(packages = "dev.cerrojo", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureRules.class);
}
