package dev.cerrojo.explorer.tests.jpa;

import org.springframework.data.jpa.repository.JpaRepository;

/** Vouchers. */
public interface VoucherRepository extends JpaRepository<Voucher, Long> {}
