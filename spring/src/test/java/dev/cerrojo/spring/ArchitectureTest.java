package dev.cerrojo.spring;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.cerrojo.testsupport.ArchitectureRules;

@AnalyzeClasses(packages = "dev.cerrojo", importOptions = ArchitectureRules.ProductionClasses.class)
class ArchitectureTest {
    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureRules.class);
}
