import { isNumberWithoutCode, isSameNumber } from '#rules/catalog/number-forms.ts'
import { matchesPrinting } from '#rules/catalog/printings.ts'
import { listSetCodes, listSetNames } from '#rules/catalog/set-codes.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { CardFacts, NameHit } from '#store/catalog/names.ts'

/** Properties that a card must have besides its name. */
export type CandidateFilter = {
  /** Text that follows the name: a set, a number, a word of the title or a printing. */
  hints: readonly string[]
  /** Numbers among the hints may lack the code that the catalog writes before them. */
  isCodeOptional?: boolean
  number?: string | undefined
  printing?: string | undefined
}

/**
 * Filters the cards of some names. Caches cards for the other items of a request, of which a thousand may
 * be the same basic land.
 */
export function createCardFilter(factsOf: (ids: readonly number[]) => CardFacts[]) {
  const cards = new Map<number, KnownCard>()
  const labelsBySet = new Map<number, readonly string[]>()

  function getLabels(card: CardFacts): readonly string[] {
    const { set_id, set_code: abbreviation, set_slug, set_name: name, game_slug } = card
    const cached = labelsBySet.get(set_id)
    if (cached !== undefined) return cached
    const codes = listSetCodes({ game_slug, name, abbreviation })
    const labels = [normalizeName(set_slug), ...codes, ...listSetNames(name)]
    labelsBySet.set(set_id, labels)
    return labels
  }

  function getCards(ids: readonly number[]): KnownCard[] {
    if (cards.size > CACHED_CARDS_MAX) cards.clear()
    const unknown = ids.filter((id) => !cards.has(id))
    for (const card of unknown.length === 0 ? [] : factsOf(unknown)) {
      const title = normalizeName(`${card.name} ${card.set_name}`)
      cards.set(card.id, { ...card, title, labels: getLabels(card) })
    }
    return ids.flatMap((id) => cards.get(id) ?? [])
  }

  /** Cards follow the order of their names, and within a name their price, highest first. */
  return function* filterCards(
    hits: readonly NameHit[],
    filter: CandidateFilter,
    limit: number,
  ): Generator<undefined, number[]> {
    const ids = new Set<number>()
    const parsed = { ...filter, hints: filter.hints.map(parseHint) }
    for (const hit of hits) {
      const fitting: KnownCard[] = []
      const all = hit.listAll()
      for (let at = 0; at < all.length; at += BATCH) {
        const some = getCards(all.slice(at, at + BATCH))
        fitting.push(...some.filter((card) => matchesFilter(card, parsed)))
        yield
      }
      for (const { id } of fitting.sort(byPrice)) ids.add(id)
      if (ids.size >= limit) break
    }
    return [...ids].slice(0, limit)
  }
}

type KnownCard = CardFacts & { title: string; labels: readonly string[] }

/** A card takes some hundred bytes. */
const CACHED_CARDS_MAX = 50_000

/** A batch takes a millisecond or two; a basic land has thousands of cards. */
const BATCH = 200

type ParsedFilter = Omit<CandidateFilter, 'hints'> & { hints: readonly Hint[] }

/** The forms in which a hint is compared. */
type Hint = { written: string; bare: string; number: string | undefined; isWord: boolean }

function parseHint(written: string): Hint {
  const number = /\d/.test(written) ? written.replace(/^#/, '') : undefined
  return { written, bare: normalizeName(written), number, isWord: /\p{L}{3}/u.test(written) }
}

function matchesFilter(
  card: KnownCard,
  { hints, isCodeOptional = false, number, printing }: ParsedFilter,
): boolean {
  const matchesNumber = (hint: Hint) =>
    isCodeOptional && isNumberWithoutCode(hint.number ?? '', card.number ?? '')
  return (
    hints.every((hint) => matchesHint(card, hint) || matchesNumber(hint)) &&
    (number === undefined || isSameNumber(number, card.number ?? '')) &&
    (printing === undefined || card.printings.some((label) => matchesPrinting(printing, label)))
  )
}

function matchesHint(card: KnownCard, { written, bare, number, isWord }: Hint): boolean {
  return (
    card.labels.includes(bare) ||
    (isWord && card.title.includes(bare)) ||
    (number !== undefined && isSameNumber(number, card.number ?? '')) ||
    (isWord && card.printings.some((printing) => matchesPrinting(written, printing)))
  )
}

function byPrice(a: CardFacts, b: CardFacts): number {
  return (b.price ?? -1) - (a.price ?? -1) || a.id - b.id
}
