package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import org.junit.jupiter.api.Test;

class IdentifiersPostgresTest {
    @Test
    void quotesEveryWordThatPostgresQuotes() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            for (String word : session.rows("SELECT word FROM pg_get_keywords() WHERE quote_ident(word) <> word")) {
                assertThat(Identifiers.quote(word)).isEqualTo('"' + word + '"');
            }
        }
    }

    @Test
    void literalsAreReadBackWhateverTheServersSetting() throws Exception {
        String text = "it's a \\ back\\\\slash\n$cerrojo$";
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            for (String conforming : new String[] {"on", "off"}) {
                session.run("SET standard_conforming_strings = " + conforming);

                assertThat(session.value("SELECT " + Identifiers.quoteLiteral(text)))
                        .isEqualTo(text);
            }
            assertThat(session.value("SELECT " + Identifiers.dollarQuote(text))).isEqualTo(text);
        }
    }
}
