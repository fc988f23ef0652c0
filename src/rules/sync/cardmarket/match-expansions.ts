import { cleanName } from '../../catalog/names.ts'
import type { ListedProduct } from './files.ts'
import { listTwins } from './match-twins.ts'
import type { ExpansionMatch, MatchableCard, MatchableSet } from './matchable.ts'
import { normalizeTitle, parseCardName, parseProductName } from './product-name.ts'

/** Names in an expansion or a set, with the number of products or cards of each. */
type NameBag = { id: number; size: number; counts: Map<string, number> }

/** Expansion with further facts that identify its set. */
type ExpansionBag = NameBag & { name: string | null; added_on: number | null }

/** Set that may belong to an expansion. */
type Candidate = {
  expansion: ExpansionBag
  set: NameBag & MatchableSet
  /** Number of products and cards without a counterpart of the same name. */
  mismatch: number
  /** Shared names as a share of all names. */
  similarity: number
  /** Positive if the name or the date agrees; a large mismatch can outweigh it. */
  affinity: number
  weight: number
  /** `mismatch`, reduced if the name or the date agrees. */
  cost: number
}

/**
 * Finds the set of each expansion by the names of its cards, because the lists do not name expansions. If an
 * expansion resembles two sets, or a set two expansions, it is skipped unless a name or a date decides.
 */
export function matchExpansions(
  products: readonly ListedProduct[],
  cards: readonly MatchableCard[],
  sets: readonly MatchableSet[],
  known: ReadonlyMap<number, ExpansionMatch>,
): Map<number, ExpansionMatch> {
  const matches = new Map(known)
  const taken = new Set([...known.values()].map(({ set_id }) => set_id))
  const setBags = bagSets(cards, withoutPlaceholders(sets))
  const open = bagExpansions(products).filter(({ id }) => !known.has(id))
  let pending = listCandidates(open, setBags)
  for (;;) {
    pending = pending.filter(
      ({ expansion, set }) => !matches.has(expansion.id) && !taken.has(set.id),
    )
    const clear = listClear(pending)
    const found = clear.length === 0 ? listTwins(pending) : clear
    if (found.length === 0) return matches
    for (const { expansion, set, similarity } of found) {
      matches.set(expansion.id, { set_id: set.id, confidence: similarity })
      taken.add(set.id)
    }
  }
}

/**
 * Derives the name of an expansion from its sealed products, most of which are "NAME Booster …". Null if it has none.
 */
export function nameExpansion(sealedNames: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const sealed of sealedNames) {
    const [, name] = /^(.+?)\s+(?:Sleeved\s+)?Booster\b/i.exec(sealed) ?? []
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([a, m], [b, n]) => n - m || a.length - b.length)
  return most?.[0] ?? null
}

function bagExpansions(products: readonly ListedProduct[]): ExpansionBag[] {
  const groups = Map.groupBy(
    products.filter(({ expansion_id }) => expansion_id > 0),
    ({ expansion_id }) => expansion_id,
  )
  return [...groups].flatMap(([id, listed]) => {
    const singles = listed.filter(({ is_sealed }) => !is_sealed)
    if (singles.length === 0) return []
    const sealed = listed.filter(({ is_sealed }) => is_sealed)
    const days = singles.flatMap(({ added_on }) => added_on ?? []).sort((a, b) => a - b)
    const added_on = days[Math.floor(days.length / 2)] ?? null
    const name = nameExpansion(sealed.map((product) => product.name))
    return [{ ...bag(id, singles.map(keyOfProduct)), name, added_on }]
  })
}

function bagSets(
  cards: readonly MatchableCard[],
  sets: readonly MatchableSet[],
): (NameBag & MatchableSet)[] {
  const groups = Map.groupBy(
    cards.filter(({ is_sealed }) => !is_sealed),
    ({ set_id }) => set_id,
  )
  return sets.flatMap((set) => {
    const own = groups.get(set.id)
    return own === undefined ? [] : [{ ...set, ...bag(set.id, own.map(keyOfCard)) }]
  })
}

function bag(id: number, keys: readonly string[]): NameBag {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return { id, size: keys.length, counts }
}

const keyOfProduct = ({ name }: ListedProduct) => parseProductName(name).key
const keyOfCard = ({ name }: MatchableCard) => parseCardName(name).key

/** Removes a release date shared by many sets, which means an unknown date. */
function withoutPlaceholders(sets: readonly MatchableSet[]): MatchableSet[] {
  const counts = Map.groupBy(sets, ({ release_day }) => release_day)
  return sets.map((set) => {
    const same = counts.get(set.release_day)?.length ?? 0
    return same > Math.max(PLACEHOLDER_SETS_MIN, sets.length / 4)
      ? { ...set, release_day: null }
      : set
  })
}

/** A date shared by this many sets, and by a quarter of all sets, is a placeholder. */
const PLACEHOLDER_SETS_MIN = 8

function listCandidates(
  expansions: readonly ExpansionBag[],
  sets: readonly (NameBag & MatchableSet)[],
): Candidate[] {
  const setsByName = new Map<string, (NameBag & MatchableSet)[]>()
  for (const set of sets) {
    for (const key of set.counts.keys()) {
      const known = setsByName.get(key)
      if (known === undefined) setsByName.set(key, [set])
      else known.push(set)
    }
  }
  return expansions.flatMap((expansion) => {
    const shared = new Map<NameBag & MatchableSet, number>()
    for (const [key, count] of expansion.counts) {
      for (const set of setsByName.get(key) ?? []) {
        const both = Math.min(count, set.counts.get(key) ?? 0)
        shared.set(set, (shared.get(set) ?? 0) + both)
      }
    }
    return [...shared].flatMap(([set, both]) => rateCandidate(expansion, set, both) ?? [])
  })
}

function rateCandidate(
  expansion: ExpansionBag,
  set: NameBag & MatchableSet,
  shared: number,
): Candidate | undefined {
  const mismatch = expansion.size + set.size - 2 * shared
  const similarity = shared / (expansion.size + set.size - shared)
  if (similarity < SIMILARITY_MIN) return undefined
  const weight = TOLERANCE_SHARE * Math.max(expansion.size, set.size) + TOLERANCE
  const affinity = nameAffinity(expansion, set) + dateAffinity(expansion, set)
  const cost = mismatch - weight * affinity
  return { expansion, set, mismatch, similarity, affinity, weight, cost }
}

/** Returns 2 if the sealed products of an expansion contain the name of the set, 1 if they contain all words of it. */
function nameAffinity({ name }: ExpansionBag, set: MatchableSet): 0 | 1 | 2 {
  if (name === null) return 0
  const own = normalizeTitle(name)
  const core = set.name.replace(/^[\w&]{1,6}(?:\s-|:)\s/, '')
  if ([set.name, core].some((one) => normalizeTitle(one) === own)) return 2
  const words = wordsOf(set.name)
  return wordsOf(name).every((word) => words.includes(word)) ? 1 : 0
}

function wordsOf(name: string): string[] {
  return cleanName(name).toLowerCase().split(' ')
}

/** Returns 1 if products were added around the release of the set, -1 if long before. */
function dateAffinity({ added_on }: ExpansionBag, { release_day }: MatchableSet): -1 | 0 | 1 {
  if (added_on === null || release_day === null) return 0
  const days = added_on - release_day
  if (days < -EARLY_DAYS) return -1
  return days < LATE_DAYS ? 1 : 0
}

/** Products are listed up to half a year before the release, and some months after. */
const EARLY_DAYS = 180
const LATE_DAYS = 60

/** Lists the pairs that are each other's best candidate by a clear margin. */
function listClear(candidates: readonly Candidate[]): Candidate[] {
  const byExpansion = Map.groupBy(candidates, ({ expansion }) => expansion.id)
  const bySet = Map.groupBy(candidates, ({ set }) => set.id)
  return [...byExpansion.values()].flatMap((own) => {
    const best = cheapest(own)
    if (best === undefined) return []
    const rivals = bySet.get(best.set.id) ?? []
    return isClear(best, own) && isClear(best, rivals) ? [best] : []
  })
}

function cheapest(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (best, one) => (best !== undefined && best.cost <= one.cost ? best : one),
    undefined,
  )
}

/**
 * Returns true if no other candidate is close: one whose name and date agree equally well must have twice the
 * mismatch, more than missing products and cards alone can cause.
 */
function isClear(best: Candidate, all: readonly Candidate[]): boolean {
  return all.every((one) => {
    const isDistant = one.mismatch >= 2 * best.mismatch + TOLERANCE
    const isUnlikely = one.affinity < best.affinity && one.cost - best.cost >= best.weight / 2
    return one === best || isDistant || isUnlikely
  })
}

const SIMILARITY_MIN = 0.3
const TOLERANCE = 3
const TOLERANCE_SHARE = 0.1
