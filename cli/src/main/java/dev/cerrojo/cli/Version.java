package dev.cerrojo.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the manifest of its jar. */
final class Version implements IVersionProvider {
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"cerrojo " + text()};
    }
}
