import { type HistoryPoint, packPoints } from '#rules/pricing/packed-history.ts'
import { monthOf } from '#rules/primitives/days.ts'
import { seriesId } from '#store/catalog/history/history.ts'
import { openPrintingStore } from '#store/catalog/printings.ts'
import { type Db, inTransaction } from '#store/db.ts'
import { countSealed } from './cards.ts'
import type { PlannedGame, PlannedSet, SeedRequest } from './catalog-plan.ts'
import { createPriceGenerator } from './prices.ts'

/** Size of the history that was written. */
export type HistoryCounts = { series: number; points: number }

/**
 * Writes every point but those of the last day, in bulk: the closed months as one cold blob a series, the open ones
 * hot. Like an import of archives, it writes price rows with the start of their history, but without prices, which
 * follow with the publication of the last day.
 */
export function writeHistory(
  db: Db,
  games: readonly PlannedGame[],
  request: SeedRequest,
  onSet: () => void,
): HistoryCounts {
  const counts = { series: 0, points: 0 }
  const prices = createPriceGenerator(request)
  const printings = openPrintingStore(db)
  const writer = openWriter(db, request.lastDay)

  function writeSet(game: PlannedGame, set: PlannedSet): void {
    const firstSealed = set.firstCard + set.cards - countSealed(set)
    for (let id = set.firstCard; id < set.firstCard + set.cards; id++) {
      const card = {
        id,
        isSealed: id >= firstSealed,
        releaseDay: set.releaseDay,
        style: game.style,
      }
      for (const { printing, history } of prices.ofCard(card)) {
        const points = history()
        if (points.length === 0) continue
        writer.put(id, printings.getOrCreateId(printing), points)
        counts.series++
        counts.points += points.length
      }
    }
  }

  for (const game of games) {
    for (const sets of inGroups(game.sets)) {
      inTransaction(db, () => {
        for (const set of sets) writeSet(game, set)
      })
      for (const _ of sets) onSet()
    }
  }
  return counts
}

/** Groups sets into transactions of some thousand series, like the store. */
function* inGroups<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += SETS_A_TRANSACTION) {
    yield items.slice(at, at + SETS_A_TRANSACTION)
  }
}

const SETS_A_TRANSACTION = 50

function openWriter(db: Db, lastDay: number) {
  const putCold = db.prepare<[number, Uint8Array]>('INSERT INTO history_cold VALUES (?, ?)')
  const putHot = db.prepare<[number, number, Uint8Array]>(
    'INSERT INTO history_hot VALUES (?, ?, ?)',
  )
  const track = db.prepare<[number, number, number]>(
    'INSERT INTO prices (card_id, printing_id, tracked_since, changed_at) VALUES (?, ?, ?, 0)',
  )
  const firstOpen = monthOf(lastDay) - HOT_MONTHS + 1
  const monthOfDay = openMonths()

  return {
    put(cardId: number, printingId: number, points: readonly HistoryPoint[]): void {
      const series = seriesId(cardId, printingId)
      let from = points.findIndex(({ day }) => monthOfDay(day) >= firstOpen)
      if (from < 0) from = points.length
      if (from > 0) putCold.run(series, packPoints(points.slice(0, from)))
      while (from < points.length) {
        const month = monthOfDay(points[from]?.day ?? 0)
        let until = from
        while (until < points.length && monthOfDay(points[until]?.day ?? 0) === month) until++
        putHot.run(month, series, packPoints(points.slice(from, until)))
        from = until
      }
      track.run(cardId, printingId, points[0]?.day ?? 0)
    },
  }
}

/** Returns a function that caches the month of each day: there are few days and many points. */
function openMonths(): (day: number) => number {
  const months = new Map<number, number>()
  return (day) => {
    const known = months.get(day)
    if (known !== undefined) return known
    const month = monthOf(day)
    months.set(day, month)
    return month
  }
}

/** Number of months that the store leaves open (history-intake.ts). It closes older ones itself. */
const HOT_MONTHS = 3
