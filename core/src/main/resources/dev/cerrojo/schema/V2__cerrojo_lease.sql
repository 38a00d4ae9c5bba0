-- Own tables, version 2: leases, and the fences that a stale holder cannot pass.
-- A shipped script never changes; what is new comes with the next version.

-- The fencing tokens of all leases: what is removed below never makes a lower one come back.
CREATE SEQUENCE cerrojo.lease_token;

-- Who holds an entity (field_group '') or a group of its fields, and until when by the clock of this server.
CREATE TYPE cerrojo.lease_hold AS (field_group text, owner uuid, token bigint, until timestamptz);

-- A row per entity, so that each change is one atomic UPDATE of it.
CREATE TABLE cerrojo.lease (
  entity text PRIMARY KEY,
  token bigint NOT NULL,
  holds cerrojo.lease_hold[] NOT NULL,
  awaited_until timestamptz NOT NULL DEFAULT '-infinity',
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- The newest token of an entity (field_group '': of anything in it) and of each group.
CREATE TABLE cerrojo.fence (
  entity text NOT NULL,
  field_group text NOT NULL,
  token bigint NOT NULL,
  kept_until timestamptz NOT NULL,
  PRIMARY KEY (entity, field_group)
) WITH (fillfactor = 50);

INSERT INTO cerrojo.schema_version (version) VALUES (2);
