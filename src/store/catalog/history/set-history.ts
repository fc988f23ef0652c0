import { type SetValuePoint, sumHistories } from '#rules/pricing/set-value.ts'
import type { Db } from '../../db.ts'
import type { PublicationStore } from '../publication.ts'
import { createRecentCache } from '../recent-cache.ts'
import type { PriceRow } from '../schema/pricing.ts'
import { type HistoryStore, seriesId } from './history.ts'

/**
 * Prepares the value of a set's single cards by day, from the histories of their base printings. It is read
 * once for each publication, in a tenth of a millisecond a card.
 */
export function openSetHistory(
  db: Db,
  history: HistoryStore,
  publication: Pick<PublicationStore, 'onChange'>,
): (set_id: number) => SetValuePoint[] {
  const tracked = db.prepare<[number], Pick<PriceRow, 'card_id' | 'printing_id'>>(
    `SELECT card_id, printing_id FROM cards
       JOIN prices ON card_id = cards.id AND is_base_printing = 1 AND tracked_since IS NOT NULL
      WHERE cards.set_id = +? AND cards.missing_since IS NULL AND product_type = 'Cards'`,
  )
  const read = createRecentCache(
    publication,
    (set_id) =>
      sumHistories(
        tracked
          .all(set_id)
          .values()
          .map(({ card_id, printing_id }) => history.getPoints(seriesId(card_id, printing_id), 0)),
      ),
    SETS_MAX,
  )
  return (set_id) => read(set_id) ?? []
}

/** A set's year takes some 10 KB. */
const SETS_MAX = 500
