-- Usage of visitors, which servers without a shared database count in memory. Days are UTC days; networks and
-- clients are keyed hashes of addresses.

CREATE TABLE visitor_days (
  day BIGINT PRIMARY KEY,
  -- Grows with each change of the day's rows in all three tables.
  version BIGINT NOT NULL,
  common BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  network_count BIGINT NOT NULL,
  seen_count BIGINT NOT NULL
);

CREATE TABLE visitor_networks (
  day BIGINT NOT NULL,
  network TEXT NOT NULL,
  requests BIGINT NOT NULL,
  reserved BIGINT NOT NULL,
  cards BIGINT NOT NULL,
  records BIGINT NOT NULL,
  PRIMARY KEY (day, network)
);

-- One row for the cards that a client saw first in a change of the day.
CREATE TABLE visitor_cards (
  day BIGINT NOT NULL,
  client TEXT NOT NULL,
  version BIGINT NOT NULL,
  ids BIGINT[] NOT NULL,
  PRIMARY KEY (day, client, version)
);
