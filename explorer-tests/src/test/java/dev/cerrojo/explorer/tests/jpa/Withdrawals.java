package dev.cerrojo.explorer.tests.jpa;

import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes money from one account as long as both together stay above zero. */
@Service
public class Withdrawals {
    private final AccountRepository accounts;
    private final VoucherRepository vouchers;
    private final TransactionTemplate transaction;

    Withdrawals(AccountRepository accounts, VoucherRepository vouchers, PlatformTransactionManager transactionManager) {
        this.accounts = accounts;
        this.vouchers = vouchers;
        this.transaction = new TransactionTemplate(transactionManager);
    }

    /** Says that both accounts together do not have so much. */
    public static final class NotEnoughException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Two at once both see the same sum. */
    public void withdraw(long account, long amount) {
        transaction.executeWithoutResult(status -> withdraw(accounts.findAll(), account, amount));
    }

    /** Locks both accounts before it reads them. */
    public void withdrawLocked(long account, long amount) {
        transaction.executeWithoutResult(status -> {
            List<Account> locked = accounts.findAllLocked();
            withdraw(locked, account, amount);
        });
    }

    /** Leaves it to PostgreSQL. */
    @Transactional(isolation = Isolation.SERIALIZABLE)
    public void withdrawSerializable(long account, long amount) {
        withdraw(accounts.findAll(), account, amount);
    }

    private void withdraw(List<Account> all, long account, long amount) {
        if (all.stream().mapToLong(Account::balance).sum() < amount) {
            throw new NotEnoughException();
        }
        accounts.findById(account).orElseThrow().withdraw(amount);
    }

    /** Guarded by the voucher's version. */
    @Transactional
    public void use(long voucher) {
        Voucher used = vouchers.findById(voucher).orElseThrow();
        if (used.uses() == 0) {
            used.use();
        }
    }

    /** A new voucher. */
    @Transactional
    public void issue() {
        vouchers.save(new Voucher());
    }
}
