import type { Deps } from '#deps.ts'
import { bareName } from '#rules/catalog/trigrams.ts'
import { type NameReading, readingsOf } from '#rules/matching/parse-list-name.ts'
import { type NameHit, TOLD_MAX } from '#store/catalog/names.ts'
import { inSteps } from '../cooperative-loop.ts'
import { openNarrowing } from './filter-candidates.ts'
import { type NamePool, openNamePools } from './name-lookup.ts'

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
  const poolOf = openNamePools(catalog)
  const look = openLook(catalog)
  return inSteps(items, function* (item) {
    const pool = poolOf(item)
    return 'reason' in pool ? pool : yield* resolveIn(pool, item, look)
  })
}

/** The steps in which a name is looked for: the closest first. */
const STEPS = ['called', 'printed', 'begun', 'containing', 'misspelt', 'misspelt twice'] as const

type Step = (typeof STEPS)[number]

type Look = ReturnType<typeof openLook>

function* resolveIn(
  pool: NamePool,
  item: NameItem,
  look: Look,
): Generator<undefined, NameMatch | NameMiss> {
  const readings = readingsOf(item.name).map((one) => ({ ...one, bare: bareName(one.name) }))
  for (const step of STEPS) {
    for (const reading of readings) {
      const found = yield* look(pool, step, reading, item)
      if (found !== undefined) return found
    }
  }
  // What stood behind the name is nothing that the catalog knows: without it, then.
  for (const step of STEPS) {
    for (const reading of readings.slice(1)) {
      const found = yield* look(pool, step, { ...reading, marks: [] }, item)
      if (found === undefined) continue
      const corrected_name = found.corrected_name ?? reading.name
      return { ...found, confidence: 'medium', corrected_name }
    }
  }
  const isShort = readings.every(({ bare }) => bare.length < SEARCHED_MIN)
  return { reason: isShort ? 'name_too_short' : 'no_match' }
}

/** Shorter names are found only where they are a card's, or the beginning of one. */
const SEARCHED_MIN = 2

/** Only long names are taken for misspelt twice. */
const TWO_FAULTS_MIN = 8

/** What one reading of a name comes to in one step; undefined: nothing that fits the rest of the item. */
function openLook({ names }: Pick<Deps['catalog'], 'names'>) {
  const narrowed = openNarrowing(names.facts)

  return function* look(
    pool: NamePool,
    step: Step,
    { name, marks, bare }: NameReading & { bare: string },
    { number, printing }: NameItem,
  ): Generator<undefined, NameMatch | undefined> {
    const isNarrowed = marks.length > 0 || number !== undefined || printing !== undefined
    function* tell(hits: readonly NameHit[]): Generator<undefined, number[]> {
      return isNarrowed ? yield* narrowed(hits, { marks, number, printing }, TOLD_MAX) : told(hits)
    }
    const hits = hitsIn(pool, step, { bare, name, limit: isNarrowed ? NARROWED_FROM : TOLD_MAX })
    yield
    const [card_id, ...others] = yield* tell(hits)
    if (card_id === undefined) return undefined
    const beside =
      others.length < TOLD_MAX - 1 || step !== 'called' ? besideIn(pool, step, bare) : []
    yield
    const all =
      step === 'called'
        ? [...others, ...(yield* tell(beside))]
        : [...(yield* tell(beside)).slice(0, BESIDE), ...others]
    const alternatives = [...new Set(all)].filter((id) => id !== card_id).slice(0, TOLD_MAX - 1)
    const match = { card_id, alternatives }
    switch (step) {
      case 'called':
        return { ...match, confidence: 'exact' }
      case 'begun':
        return { ...match, confidence: 'high' }
      case 'containing':
        return { ...match, confidence: 'medium' }
      case 'printed': {
        const goesOn = bareName(names.facts([card_id])[0]?.name ?? '').startsWith(bare)
        return { ...match, confidence: goesOn ? 'high' : 'medium' }
      }
      default: {
        const corrected_name = hits.find((hit) => hit.all().includes(card_id))?.spelling ?? name
        return { ...match, confidence: 'medium', corrected_name }
      }
    }
  }
}

/** How many names are looked through for one whose card fits. */
const NARROWED_FROM = 200
/** How many of the alternatives are spelt nearly like a name that is only a part of others. */
const BESIDE = 2

function hitsIn(
  pool: NamePool,
  step: Step,
  { bare, name, limit }: { bare: string; name: string; limit: number },
): NameHit[] {
  if (bare === '') return []
  switch (step) {
    case 'called':
      // Signs tell some names apart that are the same without: `Nidoran ♂`.
      return pool
        .called(bare)
        .sort((a, b) => likenessOf(b.spelling, name) - likenessOf(a.spelling, name))
    case 'printed':
      return pool.printed(bare)
    case 'begun':
      return pool.begun(bare, limit)
    case 'containing':
      return bare.length < SEARCHED_MIN ? [] : pool.containing(bare, limit)
    case 'misspelt':
      return bare.length < SEARCHED_MIN ? [] : pool.near(bare, 1)
    case 'misspelt twice':
      return bare.length < TWO_FAULTS_MIN ? [] : pool.near(bare, 2)
  }
}

/**
 * What else may be meant: by a card's name, the cards to whose titles the marketplace has added
 * something; by a part of a name, names that are spelt nearly like it.
 */
function besideIn(pool: NamePool, step: Step, bare: string): NameHit[] {
  if (step === 'called') return pool.printed(bare)
  const isPart = step === 'begun' || step === 'containing'
  return isPart && bare.length >= SEARCHED_MIN ? pool.near(bare, 1) : []
}

/** Of one name its dearest cards, of several names the dearest of each first. */
function told(hits: readonly NameHit[]): number[] {
  const firsts = hits.flatMap(({ dearest }) => dearest.slice(0, 1))
  return [...new Set([...firsts, ...hits.flatMap(({ dearest }) => dearest)])].slice(0, TOLD_MAX)
}

/** How much of a spelling is as it was written: all of it, its signs too, or its letters alone. */
function likenessOf(spelling: string, written: string): number {
  if (spelling === written) return 2
  return signed(spelling) === signed(written) ? 1 : 0
}

function signed(spelling: string): string {
  return spelling.toLowerCase().replace(/\s/g, '')
}
