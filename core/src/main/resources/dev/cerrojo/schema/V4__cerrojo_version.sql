-- Own tables, version 4: versions of what editors save, and the log of what the system writes.
-- A shipped script never changes; what is new comes with the next version.

-- The newest version number of an entity: whoever saves a version locks its row until the transaction ends, so that numbers have no
-- gaps. It tells, too, in which transaction that version was made, so that one transaction makes one. transaction_id alone would not
-- do: a database that was restored elsewhere counts transactions anew.
CREATE TABLE cerrojo.version_head (
  entity text NOT NULL,
  entity_key text NOT NULL,
  version bigint NOT NULL,
  transaction_id xid8,
  began timestamptz,
  PRIMARY KEY (entity, entity_key)
) WITH (fillfactor = 50);

-- changes: field -> {"before": value, "after": value}; without "before" the field is new, without "after" it is gone.
CREATE TABLE cerrojo.version (
  entity text NOT NULL,
  entity_key text NOT NULL,
  version bigint NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  changes jsonb NOT NULL,
  PRIMARY KEY (entity, entity_key, version)
);
CREATE INDEX version_changed_at ON cerrojo.version (changed_at);

-- One entry per transaction and entity.
CREATE TABLE cerrojo.operation_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity text NOT NULL,
  entity_key text NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  changes jsonb NOT NULL,
  transaction_id xid8 NOT NULL,
  began timestamptz NOT NULL,
  UNIQUE (entity, entity_key, transaction_id, began)
);
CREATE INDEX operation_log_entity ON cerrojo.operation_log (entity, entity_key, id);
CREATE INDEX operation_log_changed_at ON cerrojo.operation_log (changed_at);

INSERT INTO cerrojo.schema_version (version) VALUES (4);
