package dev.cerrojo.spring;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.invariant.GuardedTransactions;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * What {@link EnableCerrojo} adds: {@link Transactions} and {@link GuardedTransactions} in Spring's transactions, the application's
 * {@link SerializationPoints}, and what weaves annotations and checks that they are woven.
 */
@Configuration(proxyBeanMethods = false)
public class CerrojoConfiguration {
    /** Made by Spring. */
    public CerrojoConfiguration() {}

    /** {@return transactions of the application's manager} */
    @Bean
    Transactions cerrojoTransactions(
            PlatformTransactionManager manager, DataSource dataSource, ObjectProvider<TransactionOptions> options) {
        return SpringTransactions.over(manager, dataSource, options.getIfAvailable(TransactionOptions::defaults));
    }

    /** {@return the same that keep invariants} */
    @Bean
    GuardedTransactions cerrojoGuardedTransactions(Transactions transactions) {
        return GuardedTransactions.over(transactions);
    }

    /** {@return the invariants that are declared as beans} */
    @Bean
    SerializationPoints cerrojoSerializationPoints(
            ObjectProvider<SerializationPoint> points, ObjectProvider<Invariant> invariants) {
        return new SerializationPoints(
                points.orderedStream().toList(), invariants.orderedStream().toList());
    }

    /** {@return how annotated methods are run} */
    @Bean
    Protection cerrojoProtection(
            Transactions transactions,
            SerializationPoints points,
            ObjectProvider<Leases> leases,
            ObjectProvider<IdempotencySettings> idempotency,
            ConfigurableListableBeanFactory beans) {
        return new Protection(
                transactions,
                points,
                () -> leases(leases),
                idempotency.getIfAvailable(IdempotencySettings::defaults),
                beans);
    }

    private static Leases leases(ObjectProvider<Leases> leases) {
        return leases.getIfAvailable(() -> {
            throw new IllegalArgumentException(
                    "@Leased needs a bean of type Leases, and there is none: declare one, such as Leases.over(dataSource, LeaseSettings.defaults())");
        });
    }

    /** {@return the annotated methods that were found} */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ProtectedMethods cerrojoProtectedMethods() {
        return new ProtectedMethods();
    }

    /** {@return what finds annotations that would do nothing} */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static WeavingCheck cerrojoWeavingCheck(ProtectedMethods methods) {
        return new WeavingCheck(methods);
    }

    /** {@return what weaves; it asks for all else when a method is first called} */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static WeavingPostProcessor cerrojoWeaving(
            ProtectedMethods methods,
            WeavingCheck check,
            ObjectProvider<Protection> protection,
            ObjectProvider<CallObserver> observers) {
        Supplier<List<CallObserver>> all =
                SingletonSupplier.of(() -> observers.orderedStream().toList());
        return new WeavingPostProcessor(
                check, new ProtectionInterceptor(methods, SingletonSupplier.of(protection::getObject), all));
    }

    /** {@return what looks at all beans at the end of the start} */
    @Bean
    static StartCheck cerrojoStartCheck(
            ConfigurableListableBeanFactory beans,
            WeavingCheck check,
            WeavingPostProcessor weaving,
            ProtectedMethods methods,
            ObjectProvider<Protection> protection) {
        return new StartCheck(beans, check, weaving, methods, protection::getObject);
    }
}
