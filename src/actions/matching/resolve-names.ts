import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type NameReading, parseListName } from '#rules/matching/parse-list-name.ts'
import { type NameHit, TOP_CARDS_MAX } from '#store/catalog/names.ts'
import { runYielding } from '../cooperative-loop.ts'
import { createCardFilter } from './filter-candidates.ts'
import { createNameIndexes, type NameIndex } from './name-lookup.ts'

/** One card that is asked for by its name. */
export type NameItem = {
  name: string
  /** The slug of a game. */
  game?: string | undefined
  /** A set's slug, its code or its name. */
  set?: string | undefined
  number?: string | undefined
  printing?: string | undefined
}

/**
 * How a name was found (specification, Bulk and export). `exact`: it is the card's name. `high`: the
 * card's name begins with it. `medium`: the card's name has it in it; or one that is spelt nearly like
 * it, or what is left of it without what stood behind it, and then the match says which.
 */
export type Confidence = 'exact' | 'high' | 'medium'

export type NameMatch = {
  card_id: number
  confidence: Confidence
  /** Other cards that may be meant, at most three. */
  alternatives: number[]
  /** The name that was looked for instead, where the one that was given is nobody's. */
  corrected_name?: string
}

export type NameMiss = {
  reason: 'no_match' | 'game_not_found' | 'set_not_found' | 'name_too_short'
}

/** What each item is, in their order. Other requests are served in between. */
export function resolveNames(
  { catalog }: Pick<Deps, 'catalog'>,
  items: readonly NameItem[],
): Promise<(NameMatch | NameMiss)[]> {
  const poolOf = createNameIndexes(catalog)
  const look = createMatcher(catalog)
  return runYielding(items, function* (item) {
    const pool = poolOf(item)
    return 'reason' in pool ? pool : yield* resolveIn(pool, item, look)
  })
}

/** The steps in which a name is looked for: the closest first. */
const STEPS = ['called', 'printed', 'begun', 'containing', 'misspelt', 'misspelt twice'] as const

type Step = (typeof STEPS)[number]

type Matcher = ReturnType<typeof createMatcher>

function* resolveIn(
  pool: NameIndex,
  item: NameItem,
  matcher: Matcher,
): Generator<undefined, NameMatch | NameMiss> {
  const readings = parseListName(item.name).map((one) => ({
    ...one,
    bare: normalizeName(one.name),
  }))
  for (const step of STEPS) {
    for (const reading of readings) {
      const found = yield* matcher(pool, step, reading, item)
      if (found !== undefined) return found
    }
  }
  // What stood behind the name is nothing that the catalog knows: without it, then.
  for (const step of STEPS) {
    for (const reading of readings.slice(1)) {
      const found = yield* matcher(pool, step, { ...reading, suffixes: [] }, item)
      if (found === undefined) continue
      const corrected_name = found.corrected_name ?? reading.name
      return { ...found, confidence: 'medium', corrected_name }
    }
  }
  const isShort = readings.every(({ bare }) => bare.length < SEARCH_LENGTH_MIN)
  return { reason: isShort ? 'name_too_short' : 'no_match' }
}

/** Shorter names are found only where they are a card's, or the beginning of one. */
const SEARCH_LENGTH_MIN = 2

/** Only long names are taken for misspelt twice. */
const TWO_TYPOS_LENGTH_MIN = 8

/** What one reading of a name comes to in one step; undefined: nothing that fits the rest of the item. */
function createMatcher({ names }: Pick<Deps['catalog'], 'names'>) {
  const narrowed = createCardFilter(names.getFacts)

  return function* look(
    pool: NameIndex,
    step: Step,
    { name, suffixes, bare }: NameReading & { bare: string },
    { number, printing }: NameItem,
  ): Generator<undefined, NameMatch | undefined> {
    const isNarrowed = suffixes.length > 0 || number !== undefined || printing !== undefined
    function* tell(hits: readonly NameHit[]): Generator<undefined, number[]> {
      return isNarrowed
        ? yield* narrowed(hits, { hints: suffixes, number, printing }, TOP_CARDS_MAX)
        : pickCards(hits)
    }
    const hits = findHits(pool, step, {
      bare,
      name,
      limit: isNarrowed ? FILTERED_NAMES_MAX : TOP_CARDS_MAX,
    })
    yield
    const [card_id, ...others] = yield* tell(hits)
    if (card_id === undefined) return undefined
    const beside =
      others.length < TOP_CARDS_MAX - 1 || step !== 'called'
        ? findAlternatives(pool, step, bare)
        : []
    yield
    const all =
      step === 'called'
        ? [...others, ...(yield* tell(beside))]
        : [...(yield* tell(beside)).slice(0, SIMILAR_ALTERNATIVES), ...others]
    const alternatives = [...new Set(all)]
      .filter((id) => id !== card_id)
      .slice(0, TOP_CARDS_MAX - 1)
    const match = { card_id, alternatives }
    switch (step) {
      case 'called':
        return { ...match, confidence: 'exact' }
      case 'begun':
        return { ...match, confidence: 'high' }
      case 'containing':
        return { ...match, confidence: 'medium' }
      case 'printed': {
        const goesOn = normalizeName(names.getFacts([card_id])[0]?.name ?? '').startsWith(bare)
        return { ...match, confidence: goesOn ? 'high' : 'medium' }
      }
      default: {
        const corrected_name = hits.find((hit) => hit.listAll().includes(card_id))?.spelling ?? name
        return { ...match, confidence: 'medium', corrected_name }
      }
    }
  }
}

/** How many names are looked through for one whose card fits. */
const FILTERED_NAMES_MAX = 200
/** How many of the alternatives are spelt nearly like a name that is only a part of others. */
const SIMILAR_ALTERNATIVES = 2

function findHits(
  pool: NameIndex,
  step: Step,
  { bare, name, limit }: { bare: string; name: string; limit: number },
): NameHit[] {
  if (bare === '') return []
  switch (step) {
    case 'called':
      // Signs tell some names apart that are the same without: `Nidoran ♂`.
      return pool
        .exact(bare)
        .sort((a, b) => spellingLikeness(b.spelling, name) - spellingLikeness(a.spelling, name))
    case 'printed':
      return pool.printed(bare)
    case 'begun':
      return pool.startingWith(bare, limit)
    case 'containing':
      return bare.length < SEARCH_LENGTH_MIN ? [] : pool.containing(bare, limit)
    case 'misspelt':
      return bare.length < SEARCH_LENGTH_MIN ? [] : pool.similar(bare, 1)
    case 'misspelt twice':
      return bare.length < TWO_TYPOS_LENGTH_MIN ? [] : pool.similar(bare, 2)
  }
}

/**
 * What else may be meant: by a card's name, the cards to whose titles the marketplace has added
 * something; by a part of a name, names that are spelt nearly like it.
 */
function findAlternatives(pool: NameIndex, step: Step, bare: string): NameHit[] {
  if (step === 'called') return pool.printed(bare)
  const isPart = step === 'begun' || step === 'containing'
  return isPart && bare.length >= SEARCH_LENGTH_MIN ? pool.similar(bare, 1) : []
}

/** Of one name its dearest cards, of several names the dearest of each first. */
function pickCards(hits: readonly NameHit[]): number[] {
  const firsts = hits.flatMap(({ topPriced }) => topPriced.slice(0, 1))
  return [...new Set([...firsts, ...hits.flatMap(({ topPriced }) => topPriced)])].slice(
    0,
    TOP_CARDS_MAX,
  )
}

/** How much of a spelling is as it was written: all of it, its signs too, or its letters alone. */
function spellingLikeness(spelling: string, written: string): number {
  if (spelling === written) return 2
  return signed(spelling) === signed(written) ? 1 : 0
}

function signed(spelling: string): string {
  return spelling.toLowerCase().replace(/\s/g, '')
}
