package dev.cerrojo.benchmarks;

import dev.cerrojo.explorer.measure.Contender;
import java.util.Random;

/** A contender whose clients each toggle their own doctor on shifts taken by chance. */
record ShiftContender(String name, Ward ward, Toggle toggle) implements Contender {
    /** One transaction. */
    interface Toggle {
        /** {@return how often it was run again} */
        int run(int shift, int doctor) throws Exception;
    }

    @Override
    public Client client(int number) {
        Random random = new Random(number);
        return new Client() {
            @Override
            public int transaction() throws Exception {
                return toggle.run(1 + random.nextInt(ward.shifts()), number);
            }

            @Override
            public void close() {
                // its connections belong to the ward's pool
            }
        };
    }
}
