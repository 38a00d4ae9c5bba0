CREATE TABLE shift (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organization,
  name text NOT NULL,
  active boolean NOT NULL DEFAULT true
);

CREATE TABLE on_call (
  shift_id bigint NOT NULL REFERENCES shift,
  doctor text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  expires_at timestamptz,
  PRIMARY KEY (shift_id, doctor)
);
CREATE INDEX on_call_expiring ON on_call (expires_at) WHERE active;
