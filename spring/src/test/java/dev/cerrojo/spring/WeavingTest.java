package dev.cerrojo.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule.Rows;
import jakarta.annotation.PostConstruct;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** No annotation is silently without effect: the application does not start, and is told class, method, place and way out. */
class WeavingTest {
    private static final Invariant RULE = Invariant.named("rule").atLeast(1, Rows.of("t"));

    private static void start(Class<?>... beans) {
        PGSimpleDataSource never = new PGSimpleDataSource();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean("dataSource", javax.sql.DataSource.class, () -> never);
            context.registerBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(never));
            context.registerBean("rule", Invariant.class, () -> RULE);
            context.register(CerrojoConfiguration.class);
            context.register(beans);
            context.refresh();
        }
    }

    static class Fine {
        private final Fine self;

        Fine(@Lazy Fine self) {
            this.self = self;
        }

        @Guarded(invariant = "rule")
        void work() {}

        @Guarded(invariant = "rule")
        protected String more(String text) {
            return text;
        }

        void throughTheProxy(List<String> texts) {
            self.work();
            texts.forEach(self::more);
            Runnable later = () -> self.work();
            later.run();
            (texts.isEmpty() ? self : self.self).work();
        }
    }

    @Test
    void whatIsWovenStarts() {
        assertThatCode(() -> start(Fine.class)).doesNotThrowAnyException();
    }

    static class Private {
        @Guarded(invariant = "rule")
        private void work() {}
    }

    static class Static {
        @Guarded(invariant = "rule")
        static void work() {}
    }

    static class Final {
        @Guarded(invariant = "rule")
        final void work() {}
    }

    static final class FinalClass {
        @Guarded(invariant = "rule")
        void work() {}
    }

    static class OwnCall {
        @Guarded(invariant = "rule")
        void work() {}

        void entry() {
            work();
        }
    }

    static class CallInALambda extends Callee {
        void entry() {
            Runnable later = () -> work(1L, 2.0);
            later.run();
        }
    }

    static class Reference extends Callee {
        Runnable entry() {
            return this::nothing;
        }
    }

    static class CallInAnAnonymousClass extends Callee {
        Runnable entry() {
            return new Runnable() {
                @Override
                public void run() {
                    Runnable inner = new Runnable() {
                        @Override
                        public void run() {
                            nothing();
                        }
                    };
                    inner.run();
                }
            };
        }
    }

    static class CallInAnArgument extends Callee {
        String entry(boolean which, long number) {
            return String.valueOf(work(which ? number : 3L, number > 2 ? 1.0 : 2.0));
        }
    }

    static class CallThroughAName extends Callee {
        void entry() {
            try {
                CallThroughAName me = this;
                me.nothing();
            } finally {
                nothingElse();
            }
        }
    }

    static class CallOfSuper extends Callee {
        void entry() {
            super.nothing();
        }
    }

    static class OneOfTwo extends Callee {
        private OneOfTwo other;

        void entry(boolean which) {
            (which ? this : other).nothing();
        }
    }

    static class Callee {
        @Guarded(invariant = "rule")
        long work(long number, double other) {
            return number;
        }

        @Guarded(invariant = "rule")
        void nothing() {}

        void nothingElse() {}
    }

    interface Template<T> {
        void one(T value);

        default void all(List<T> values) {
            values.forEach(value -> one(value));
        }
    }

    static class Generic implements Template<String> {
        @Override
        @Guarded(invariant = "rule")
        public void one(String value) {}
    }

    static class AtStart {
        @PostConstruct
        @Guarded(invariant = "rule")
        void work() {}
    }

    static class Later {
        @Guarded(invariant = "rule")
        CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class OtherTransaction {
        @Guarded(invariant = "rule")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void work() {}
    }

    static class UnknownInvariant {
        @Guarded(invariant = "rul")
        void work() {}
    }

    static class UnknownParameter {
        @Leased(entity = "'order/' + #ordre")
        void work(String order) {}
    }

    static class ScopeOfGlobal {
        @Guarded(invariant = "rule", scope = "order")
        void work(String order) {}
    }

    static class NoLeases {
        @Leased(entity = "order")
        void work(String order) {}
    }

    static class Needed {
        @Guarded(invariant = "rule")
        void work() {}
    }

    static class Early implements BeanPostProcessor, Ordered {
        Early(Needed needed) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    record Case(Class<?> bean, String method, String words) {}

    static Stream<Case> cases() {
        return Stream.of(
                new Case(Private.class, "work", "is private"),
                new Case(Static.class, "work", "is static"),
                new Case(Final.class, "work", "is final"),
                new Case(FinalClass.class, "work", "final class"),
                new Case(OwnCall.class, "work", "OwnCall.entry (WeavingTest.java:"),
                new Case(CallInALambda.class, "work", "lambda$entry$0 (WeavingTest.java:"),
                new Case(Reference.class, "nothing", "Reference.entry (WeavingTest.java:"),
                new Case(CallInAnAnonymousClass.class, "nothing", "run (WeavingTest.java:"),
                new Case(CallInAnArgument.class, "work", "CallInAnArgument.entry (WeavingTest.java:"),
                new Case(CallThroughAName.class, "nothing", "CallThroughAName.entry (WeavingTest.java:"),
                new Case(CallOfSuper.class, "nothing", "CallOfSuper.entry (WeavingTest.java:"),
                new Case(OneOfTwo.class, "nothing", "OneOfTwo.entry (WeavingTest.java:"),
                new Case(Generic.class, "one", "(WeavingTest.java:"),
                new Case(AtStart.class, "work", "before its proxy is there"),
                new Case(Later.class, "work", "returns CompletableFuture"),
                new Case(OtherTransaction.class, "work", "REQUIRES_NEW"),
                new Case(UnknownInvariant.class, "work", "no invariant named rul, but [rule]"),
                new Case(UnknownParameter.class, "work", "names the parameter ordre, but the method's are [order]"),
                new Case(ScopeOfGlobal.class, "work", "has global scope"),
                new Case(NoLeases.class, "work", "needs a bean of type Leases"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatIsNotWovenDoesNotStart(Case it) {
        assertThat(refusal(it.bean()))
                .hasMessageContaining(it.bean().getSimpleName())
                .hasMessageContaining(it.method())
                .hasMessageContaining(it.words());
    }

    private static Throwable refusal(Class<?>... beans) {
        Throwable thrown = catchThrowable(() -> start(beans));
        while (thrown != null && !(thrown instanceof NotWovenException)) {
            thrown = thrown.getCause();
        }
        return thrown;
    }

    @Test
    void beanThatWasMadeTooEarlyDoesNotStart() {
        assertThat(refusal(Needed.class, Early.class))
                .hasMessageContaining("Needed")
                .hasMessageContaining("ObjectProvider");
    }

    @Lazy
    static class LaterMade extends Callee {
        void entry() {
            nothing();
        }
    }

    @Test
    void classOfABeanThatIsMadeLaterIsLookedAtAtStart() {
        assertThat(refusal(LaterMade.class)).hasMessageContaining("LaterMade.entry");
    }
}
