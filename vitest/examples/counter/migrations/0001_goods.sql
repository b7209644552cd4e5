CREATE TABLE goods (name TEXT PRIMARY KEY, price INTEGER); -- prices in cents; all of them
INSERT INTO goods VALUES ('a;b', 100);
