-- Own tables, version 1: the guard rows of invariants, and which versions are installed.
-- A shipped script never changes; what is new comes with the next version.

CREATE SCHEMA IF NOT EXISTS cerrojo;

CREATE TABLE IF NOT EXISTS cerrojo.guard (
  invariant text NOT NULL,
  scope text NOT NULL,
  touched bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (invariant, scope)
);

CREATE TABLE IF NOT EXISTS cerrojo.schema_version (
  version int PRIMARY KEY,
  installed_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO cerrojo.schema_version (version) VALUES (1);
