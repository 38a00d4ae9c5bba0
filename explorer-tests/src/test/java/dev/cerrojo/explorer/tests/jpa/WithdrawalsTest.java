package dev.cerrojo.explorer.tests.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.jpa.Withdrawals.NotEnoughException;
import dev.cerrojo.testsupport.TestDatabase;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(
        properties = {
            "logging.level.root=error",
            "spring.main.banner-mode=off",
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.jpa.properties.hibernate.id.optimizer.pooled.preferred=none"
        })
@Import(BankApplication.Gates.class)
class WithdrawalsTest {
    private static final TestDatabase DATABASE = TestDatabase.create();
    private static final String OVERDRAWN = "SELECT sum(balance) FROM account HAVING sum(balance) < 0";

    @Autowired
    private DataSource dataSource;

    @Autowired
    private Withdrawals withdrawals;

    @Autowired
    private AccountRepository accounts;

    @Autowired
    private VoucherRepository vouchers;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::jdbcUrl);
    }

    @BeforeEach
    void twoAccounts() {
        vouchers.deleteAll();
        accounts.saveAll(List.of(new Account(1L, 60), new Account(2L, 60)));
    }

    @InterleavingTest
    void theSumStaysAboveZero(Interleavings race) {
        race.over(dataSource)
                .session("100 from account 1", () -> withdrawals.withdrawLocked(1, 100))
                .session("100 from account 2", () -> withdrawals.withdrawLocked(2, 100))
                .mayRefuse(NotEnoughException.class)
                .holds(OVERDRAWN);
    }

    @InterleavingTest
    void theRaceIsFound(Interleavings race) {
        race.over(dataSource)
                .session("100 from account 1", () -> withdrawals.withdraw(1, 100))
                .session("100 from account 2", () -> withdrawals.withdraw(2, 100))
                .mayRefuse(NotEnoughException.class)
                .holds(OVERDRAWN);

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @InterleavingTest
    void atSerializableTheSumStaysAboveZeroToo(Interleavings race) {
        race.over(dataSource)
                .session("100 from account 1", () -> withdrawals.withdrawSerializable(1, 100))
                .session("100 from account 2", () -> withdrawals.withdrawSerializable(2, 100))
                .mayRefuse(NotEnoughException.class)
                .holds(OVERDRAWN);
    }

    @InterleavingTest
    void aVersionLetsAVoucherBeUsedOnce(Interleavings race) {
        long voucher = vouchers.save(new Voucher()).id();
        race.over(dataSource)
                .session("one uses it", () -> withdrawals.use(voucher))
                .session("another uses it", () -> withdrawals.use(voucher))
                .mayRefuse(OptimisticLockingFailureException.class)
                .holds(
                        "used once",
                        () -> assertThat(
                                        vouchers.findById(voucher).orElseThrow().uses())
                                .isEqualTo(1));
    }

    @InterleavingTest
    void newVouchersDoNotMeet(Interleavings race) {
        race.over(dataSource)
                .session("one is issued", withdrawals::issue)
                .session("another is issued", withdrawals::issue)
                .neverFails()
                .holds("SELECT count(*) FROM voucher HAVING count(*) <> 2");
    }
}
