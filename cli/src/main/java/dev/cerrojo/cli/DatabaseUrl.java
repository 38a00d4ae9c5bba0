package dev.cerrojo.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where a database of the user's is.
 *
 * @param jdbc its JDBC URL; never to be shown
 * @param user who connects, when the URL is not a JDBC one
 * @param password with what, likewise
 */
record DatabaseUrl(String jdbc, Optional<String> user, Optional<String> password) {
    private static final String FORMS =
            "must look like jdbc:postgresql://HOST:PORT/DATABASE?user=... or postgresql://USER@HOST:PORT/DATABASE";

    /** Reads {@code jdbc:postgresql:…}, {@code postgresql:…} and {@code postgres:…}. */
    static DatabaseUrl of(String text) {
        if (text.matches("jdbc:postgresql://[^/?]*@.*")) {
            throw CommandFailedException.usage(
                    "a JDBC URL takes user and password as parameters; the URL of the database " + FORMS);
        }
        if (text.startsWith("jdbc:postgresql:")) {
            return new DatabaseUrl(text, Optional.empty(), Optional.empty());
        }
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme());
            if ((scheme.equals("postgresql") || scheme.equals("postgres")) && uri.getHost() != null) {
                return of(uri);
            }
        } catch (URISyntaxException e) {
            // told below, without the text: it may have a password
        }
        throw CommandFailedException.usage("the URL of the database " + FORMS);
    }

    private static DatabaseUrl of(URI uri) {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String[] account = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        return new DatabaseUrl(
                "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query,
                account.length > 0 ? Optional.of(decoded(account[0])) : Optional.empty(),
                account.length > 1 ? Optional.of(decoded(account[1])) : Optional.empty());
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(jdbc);
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage("the URL of the database " + FORMS);
        }
        user.ifPresent(source::setUser);
        password.ifPresent(source::setPassword);
        source.setApplicationName("cerrojo");
        return source;
    }

    /** Without user and password. */
    @Override
    public String toString() {
        return UserServer.withoutParameters(jdbc);
    }
}
