/** Compares matches with the true cards of generated products. */
import type { MatchResult } from '#rules/sync/cardmarket/match-products.ts'
import type { GeneratedLists } from './cardmarket-lists.ts'

/** `possible`: singles whose card is in the catalog. `missing`: those without a match. */
export type Score = { possible: number; matched: number; wrong: number; missing: number }

export type SetScore = Score & { set_id: number; set: string }

export type WrongMatch = { product: string; found: string; right: string; method: string }

/** Counts matches in total, and by the set of the true card. */
export function scoreMatches(
  { products, cards, sets, truth }: GeneratedLists,
  { products: matches }: Pick<MatchResult, 'products'>,
): { total: Score; sets: SetScore[]; wrong: WrongMatch[] } {
  const known = new Map(cards.map((card) => [card.id, card]))
  const names = new Map(sets.map(({ id, name }) => [id, name]))
  const scores = new Map<number, SetScore>()
  const wrong: WrongMatch[] = []
  for (const { id, name, is_sealed } of products) {
    if (is_sealed) continue
    const right = known.get(truth.get(id) ?? 0)
    const match = matches.get(id)
    const found = match && known.get(match.card_id)
    const set_id = right?.set_id ?? found?.set_id ?? 0
    const score = scores.get(set_id) ?? emptyScore(set_id, names.get(set_id) ?? 'of no set')
    scores.set(set_id, score)
    if (right !== undefined) score.possible++
    if (found === undefined) score.missing += right === undefined ? 0 : 1
    else if (found === right) score.matched++
    else {
      score.wrong++
      const label = (card = found) =>
        `${card.name} ${card.number ?? ''} (${names.get(card.set_id)})`
      const rightLabel = right === undefined ? 'not in the catalog' : label(right)
      wrong.push({ product: name, found: label(), right: rightLabel, method: match?.method ?? '' })
    }
  }
  const all = [...scores.values()]
  const sum = (field: keyof Score) => all.reduce((total, score) => total + score[field], 0)
  const total = {
    possible: sum('possible'),
    matched: sum('matched'),
    wrong: sum('wrong'),
    missing: sum('missing'),
  }
  return { total, sets: all, wrong }
}

function emptyScore(set_id: number, set: string): SetScore {
  return { set_id, set, possible: 0, matched: 0, wrong: 0, missing: 0 }
}
