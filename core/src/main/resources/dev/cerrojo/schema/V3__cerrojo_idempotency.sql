-- A place for version 3, which the branch of idempotency brings.
INSERT INTO cerrojo.schema_version (version) VALUES (3);
