package dev.cerrojo.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks a {@code .txz} archive of PostgreSQL's binaries, links and executable bits included. */
final class Archive {
    private static final int OWNER_EXECUTES = 0100;

    private Archive() {}

    /** Unpacks a {@code .txz} file, or the platform's archive in a jar. */
    static void unpackFile(Path file, Platform platform, Path folder) throws IOException {
        if (!file.toString().endsWith(".jar")) {
            unpack(Files.newInputStream(file), folder);
            return;
        }
        try (ZipFile jar = new ZipFile(file.toFile())) {
            ZipEntry entry = jar.getEntry(platform.archive());
            if (entry == null) {
                throw new EmbeddedPostgresException("the archive %s must hold %s, but does not: give the artifact %s"
                        .formatted(file, platform.archive(), platform.artifact()));
            }
            unpack(jar.getInputStream(entry), folder);
        }
    }

    static void unpack(InputStream packed, Path folder) throws IOException {
        try (InputStream closed = packed;
                TarArchiveInputStream tar =
                        new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(closed)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                write(tar, entry, target(folder, entry.getName()));
            }
        }
    }

    private static Path target(Path folder, String name) throws IOException {
        Path target = folder.resolve(name).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("the archive's entry " + name + " leads out of its folder");
        }
        return target;
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.createLink(target, target(target.getRoot(), entry.getLinkName()));
        } else {
            Files.copy(tar, target);
            markExecutable(target, entry.getMode());
        }
    }

    private static void markExecutable(Path file, int mode) throws IOException {
        if ((mode & OWNER_EXECUTES) != 0 && !file.toFile().setExecutable(true, false)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
