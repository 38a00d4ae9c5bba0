CREATE TABLE shift (id int PRIMARY KEY);
CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL, active boolean NOT NULL);
INSERT INTO shift VALUES (1);
INSERT INTO on_call VALUES (1, 'Ada', true), (1, 'Ben', true);
