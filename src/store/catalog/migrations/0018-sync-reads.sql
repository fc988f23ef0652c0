-- Each sync compares all cards with the upstream: it reads them from this index instead of their long rows.
CREATE INDEX cards_of_set
  ON cards (set_id, missing_since, foil_only, told_foil_only, image_url IS NOT NULL);

-- The text of a card that moves to another set stays, because times of sets are filled in when it is read.
CREATE TRIGGER moved_price_text AFTER UPDATE OF set_id ON cards WHEN old.set_id <> new.set_id BEGIN
  UPDATE price_texts SET set_id = new.set_id WHERE card_id = new.id;
END;
