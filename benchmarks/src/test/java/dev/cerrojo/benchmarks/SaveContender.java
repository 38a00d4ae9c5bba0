package dev.cerrojo.benchmarks;

import dev.cerrojo.explorer.measure.Contender;
import java.util.Random;

/** A contender whose clients save articles taken by chance. */
record SaveContender(String name, Newspaper newspaper, Save save) implements Contender {
    /** One transaction. */
    interface Save {
        void run(int article, String text) throws Exception;
    }

    @Override
    public Client client(int number) {
        Random random = new Random(number);
        return new Client() {
            @Override
            public int transaction() throws Exception {
                save.run(1 + random.nextInt(Newspaper.ARTICLES), "text " + random.nextInt());
                return 0;
            }

            @Override
            public void close() {
                // its connections belong to the newspaper's pool
            }
        };
    }
}
