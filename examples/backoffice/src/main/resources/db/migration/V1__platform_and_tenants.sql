CREATE TABLE platform_role (
  name text PRIMARY KEY,
  creates_platform_users boolean NOT NULL,
  manages_users boolean NOT NULL
);
INSERT INTO platform_role VALUES
  ('administrator', true, true),
  ('operator', false, true),
  ('support', false, false);

CREATE TABLE platform_user (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  role text NOT NULL REFERENCES platform_role,
  active boolean NOT NULL DEFAULT true
);

CREATE TABLE organization (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE
);

CREATE TABLE tenant_user (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL REFERENCES organization,
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('manager', 'member')),
  active boolean NOT NULL DEFAULT true
);
CREATE INDEX tenant_user_of_organization ON tenant_user (organization_id);
