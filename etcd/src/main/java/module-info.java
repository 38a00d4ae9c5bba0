/** Leases on etcd. */
module dev.cerrojo.etcd {
    requires static org.jspecify;
    requires transitive dev.cerrojo;
    requires transitive java.net.http;

    exports dev.cerrojo.etcd;
}
