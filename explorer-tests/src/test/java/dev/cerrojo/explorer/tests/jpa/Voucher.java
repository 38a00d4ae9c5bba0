package dev.cerrojo.explorer.tests.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** A voucher with a version, and a key from a sequence that Hibernate keeps fifty numbers of in memory. */
@Entity
public class Voucher {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    private Long id;

    @Version
    private long version;

    private int uses;

    public Long id() {
        return id;
    }

    public void use() {
        uses++;
    }

    public int uses() {
        return uses;
    }
}
