import type { Db } from '../db.ts'

/** Interim. */
export function rebuildSearch(db: Db): void {
  db.exec("DELETE FROM search_ranks; INSERT INTO card_search (card_search) VALUES ('delete-all')")
  const rows = db
    .prepare<[], { id: number; name: string; search_text: string; price: number | null }>(
      `SELECT id, name, search_text, (SELECT max(market_price) FROM prices WHERE card_id = cards.id) AS price
       FROM cards WHERE missing_since IS NULL ORDER BY price IS NULL, price, id`,
    )
    .all()
  const rank = db.prepare('INSERT INTO search_ranks (rank, card_id, market_price, name_rank) VALUES (?, ?, ?, 0)')
  const doc = db.prepare('INSERT INTO card_search (rowid, words) VALUES (?, ?)')
  rows.forEach((row, index) => {
    rank.run(index + 1, row.id, row.price)
    doc.run(index + 1, row.search_text)
  })
}
