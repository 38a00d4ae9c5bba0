package dev.cerrojo.explorer.tests.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An account; of two, only the sum must not be negative. */
@Entity
public class Account {
    @Id
    private Long id;

    private long balance;

    protected Account() {}

    public Account(Long id, long balance) {
        this.id = id;
        this.balance = balance;
    }

    public long balance() {
        return balance;
    }

    public void withdraw(long amount) {
        balance -= amount;
    }
}
