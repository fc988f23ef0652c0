// The base printings of a real catalog (test/support/sync/real-upstream.ts), judged by a table that was written by hand.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'

/**
 * Every combination of printings that a card of the catalog has, the one that a collector means first. Printings
 * between which prices decide share a place.
 */
const JUDGED = `
1st Edition
1st Edition Cold Foil
1st Edition Holofoil
1st Edition Normal
1st Edition Normal > 1st Edition Cold Foil
1st Edition Normal > 1st Edition Rainbow Foil
1st Edition Rainbow Foil
Cold Foil
Cold Foil = Rainbow Foil
Foil
Gold Cold Foil
Holofoil
Holofoil > Reverse Holofoil
Normal
Normal > Cold Foil
Normal > Cold Foil = Rainbow Foil
Normal > Foil
Normal > Holofoil
Normal > Holofoil > Reverse Holofoil
Normal > Rainbow Foil
Normal > Reverse Holofoil
Rainbow Foil
Reverse Holofoil
Unlimited
Unlimited > 1st Edition
Unlimited Edition Normal
Unlimited Edition Normal > 1st Edition Normal
Unlimited Edition Normal > 1st Edition Normal > 1st Edition Cold Foil
Unlimited Edition Normal > 1st Edition Normal > 1st Edition Rainbow Foil
Unlimited Edition Normal > 1st Edition Rainbow Foil
Unlimited Edition Normal > Unlimited Edition Rainbow Foil
Unlimited Edition Normal > Unlimited Edition Rainbow Foil > 1st Edition Cold Foil
Unlimited Edition Normal > Unlimited Edition Rainbow Foil > 1st Edition Normal
Unlimited Edition Normal > Unlimited Edition Rainbow Foil > 1st Edition Normal > 1st Edition Cold Foil
Unlimited Edition Normal > Unlimited Edition Rainbow Foil > 1st Edition Normal > 1st Edition Rainbow Foil
Unlimited Edition Normal > Unlimited Edition Rainbow Foil > 1st Edition Rainbow Foil
Unlimited Edition Rainbow Foil
Unlimited Edition Rainbow Foil > 1st Edition Cold Foil
Unlimited Edition Rainbow Foil > 1st Edition Normal
Unlimited Edition Rainbow Foil > 1st Edition Normal > 1st Edition Cold Foil
Unlimited Edition Rainbow Foil > 1st Edition Normal > 1st Edition Rainbow Foil
Unlimited Edition Rainbow Foil > 1st Edition Rainbow Foil
Unlimited Holofoil
Unlimited Holofoil > 1st Edition Holofoil`
  .trim()
  .split('\n')
  .map((line) => line.split(' > ').map((place) => place.split(' = ')))

const TABLE = new Map(JUDGED.map((places) => [places.flat().sort().join(), places]))

type Row = { card_id: number; printing: string; is_priced: number; is_base_printing: number }

const recorded = recordedCatalog(import.meta.path)
afterAll(() => recorded?.remove())

describe.skipIf(recorded === undefined)('the base printings of a real catalog', () => {
  beforeAll(async () => {
    await recorded?.sync()
  }, RECORDED_SYNC_MS_MAX)

  test('are those of a table for every combination of printings', () => {
    const db = openDatabase(join(recorded?.dataDir ?? '', 'catalog.db'), { readonly: true })
    const rows = db
      .prepare<[], Row>(
        `SELECT card_id, name AS printing, market_price IS NOT NULL OR low_price IS NOT NULL AS is_priced,
                is_base_printing
           FROM prices JOIN printings ON printings.id = printing_id`,
      )
      .all()
    db.close()
    expect(rows).toHaveLength(163_159)
    const wrong: string[] = []
    const byCard = Map.groupBy(rows, ({ card_id }) => card_id)
    for (const [id, own] of byCard) {
      const all = own.map(({ printing }) => printing).sort()
      const priced = own.filter(({ is_priced }) => is_priced === 1)
      const offered = (priced.length > 0 ? priced : own).map(({ printing }) => printing)
      const best = TABLE.get(all.join())?.find((place) =>
        place.some((one) => offered.includes(one)),
      )
      const [base, ...more] = own.filter((row) => row.is_base_printing === 1)
      const isRight = base !== undefined && more.length === 0 && best?.includes(base.printing)
      if (isRight !== true) wrong.push(`${id}: ${base?.printing} of ${all.join(', ')}`)
    }
    expect(byCard.size).toBe(119_129)
    expect(wrong).toEqual([])
  })
})
