-- Own tables, version 3: requests that must take effect once, and jobs that must run once.
-- A shipped script never changes; what is new comes with the next version.

-- What clients have asked for, and what they were answered.
CREATE TABLE cerrojo.api_request (
  operation text NOT NULL,
  caller text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED')),
  claim uuid NOT NULL,
  claimed_until timestamptz NOT NULL,
  claims int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  failure text,
  response_status int,
  response_headers text[],
  response_body bytea,
  PRIMARY KEY (operation, caller, key)
);
CREATE INDEX api_request_expiring ON cerrojo.api_request (expires_at) WHERE expires_at < 'infinity';
CREATE INDEX api_request_pending ON cerrojo.api_request (claimed_until) WHERE status = 'PENDING';

-- Which jobs were begun, and which are done.
CREATE TABLE cerrojo.job (
  operation text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED')),
  claim uuid NOT NULL,
  claimed_until timestamptz NOT NULL,
  claims int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  failure text,
  PRIMARY KEY (operation, key)
);
CREATE INDEX job_expiring ON cerrojo.job (expires_at) WHERE expires_at < 'infinity';
CREATE INDEX job_pending ON cerrojo.job (claimed_until) WHERE status = 'PENDING';

INSERT INTO cerrojo.schema_version (version) VALUES (3);
