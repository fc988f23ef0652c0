import type { UpstreamGame } from '#rules/catalog/catalog-records.ts'
import { addShifts, noShifts } from '#rules/sync/price-shifts.ts'
import { findPriceProblem, findSetProblem, type SetFacts } from '#rules/sync/sanity-checks.ts'
import type { SetBatch } from '#store/catalog/catalog-writer.ts'
import type { SetComparison } from '#store/catalog/sync-log.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'

/** Result of the sanity checks on staged sets of a game. */
export type GameVerdict = {
  /** Sets to skip, with the reason and remedy for the operator; only one example if the whole game is skipped. */
  sets: { id: number; reason: string }[]
  /** Reason for skipping the whole game; undefined if the remaining sets pass. */
  game: string | undefined
}

/** Compares the staged sets of a game with the catalog, one by one. */
export type GameCheck = {
  /** Compares a set that was staged now or by an earlier run. */
  add(delivery: SetBatch): void
  /** Returns the result for the sets so far. */
  getVerdict(): GameVerdict
}

/**
 * Opens the sanity checks of a game. Every set that will be published is checked, because an earlier run may have read
 * it, and may have been killed or forced. Nothing else changes the catalog between the checks and the publication.
 */
export function openGameCheck({ syncLog }: CatalogWriter, game: UpstreamGame): GameCheck {
  const rejected: GameVerdict['sets'] = []
  const shifts = noShifts()
  const read: number[] = []
  const size = { cards: 0, prices: 0 }
  let prices_rejected = 0

  return {
    add(delivery) {
      const comparison = syncLog.compareSet(delivery.set.id, delivery.cards, delivery.prices)
      read.push(delivery.set.id)
      size.cards += comparison.cards_before
      size.prices += comparison.shifts.known
      const reason = findProblem(syncLog, game, delivery, comparison)
      if (reason === undefined) addShifts(shifts, comparison.shifts)
      else {
        rejected.push({ id: delivery.set.id, reason })
        prices_rejected += comparison.shifts.known
      }
    },
    getVerdict() {
      const others = syncLog.measureOthers(game.id, read)
      const several = rejected.length > 1 ? { prices_rejected } : {}
      const problem = findPriceProblem({
        slug: game.slug,
        cards: size.cards + others.cards,
        prices: size.prices + others.prices,
        shifts,
        ...several,
      })
      // A single example is clearer than the same reason for a thousand sets.
      return { sets: problem === undefined ? rejected : rejected.slice(0, 1), game: problem }
    },
  }
}

function findProblem(
  syncLog: CatalogWriter['syncLog'],
  game: UpstreamGame,
  { set, cards }: SetBatch,
  { cards_before, cards_kept, shifts }: SetComparison,
): string | undefined {
  const facts: SetFacts = {
    id: set.id,
    name: set.name,
    cards_before,
    cards_kept,
    held_by: findHolder(syncLog, set.id, game.id),
    cards_foreign: syncLog.countForeignCards(cards?.map((card) => card.id) ?? [], game.id),
    prices_before: shifts.known,
    prices_lost: shifts.lost,
  }
  const size = { cards: cards_before, prices: shifts.known }
  return findSetProblem(facts) ?? findPriceProblem({ slug: game.slug, set, ...size, shifts })
}

/** Returns the name of another game that has the set in the catalog; null if no other game has it. */
function findHolder(
  syncLog: CatalogWriter['syncLog'],
  setId: number,
  gameId: number,
): string | null {
  const owner = syncLog.getGameOfSet(setId)
  if (owner === undefined || owner === gameId) return null
  return syncLog.listGames().find(({ id }) => id === owner)?.name ?? 'another game'
}
