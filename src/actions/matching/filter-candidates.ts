import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { matchesPrinting } from '#rules/catalog/printings.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { CardFacts, NameHit } from '#store/catalog/names.ts'

/** What a card must have besides its name. */
export type CandidateFilter = {
  /** What stood behind the name: a set, a number, a word of the title, a printing. */
  hints: readonly string[]
  number?: string | undefined
  printing?: string | undefined
}

/**
 * Finds the cards of some names that have what an item wishes. What is known of a card is kept for
 * the other items of the request: a thousand of them may ask for as many forests.
 */
export function createCardFilter(factsOf: (ids: readonly number[]) => CardFacts[]) {
  const known = new Map<number, KnownCard>()
  const setLabels = new Map<number, readonly string[]>()

  function labelsOf({ set_id, set_code, set_slug, set_name }: CardFacts): readonly string[] {
    const seen = setLabels.get(set_id)
    if (seen !== undefined) return seen
    const labels = [set_code ?? '', set_slug, set_name]
      .map(normalizeName)
      .filter((one) => one !== '')
    setLabels.set(set_id, labels)
    return labels
  }

  function cardsOf(ids: readonly number[]): KnownCard[] {
    if (known.size > KNOWN_MAX) known.clear()
    const unknown = ids.filter((id) => !known.has(id))
    for (const card of unknown.length === 0 ? [] : factsOf(unknown)) {
      const title = normalizeName(`${card.name} ${card.set_name}`)
      known.set(card.id, { ...card, title, labels: labelsOf(card) })
    }
    return ids.flatMap((id) => known.get(id) ?? [])
  }

  /** Name by name (they are in the order of how well they fit), of one name the dearest first. */
  return function* narrowed(
    hits: readonly NameHit[],
    filter: CandidateFilter,
    most: number,
  ): Generator<undefined, number[]> {
    const ids = new Set<number>()
    const wanted = { ...filter, marks: filter.hints.map(parseHint) }
    for (const hit of hits) {
      const fitting: KnownCard[] = []
      const all = hit.listAll()
      for (let at = 0; at < all.length; at += LOOKED_AT_ONCE) {
        const some = cardsOf(all.slice(at, at + LOOKED_AT_ONCE))
        fitting.push(...some.filter((card) => matchesFilter(card, wanted)))
        yield
      }
      for (const { id } of fitting.sort(byPrice)) ids.add(id)
      if (ids.size >= most) break
    }
    return [...ids].slice(0, most)
  }
}

type KnownCard = CardFacts & { title: string; labels: readonly string[] }

/** Some hundred bytes each. */
const KNOWN_MAX = 50_000

/** A basic land has thousands of cards; so many take a millisecond or two. */
const LOOKED_AT_ONCE = 200

type ParsedFilter = Omit<CandidateFilter, 'hints'> & { marks: readonly Hint[] }

/** What a mark may be: a set, a number, a word of the title, a printing. */
type Hint = { written: string; bare: string; number: string | undefined; isWord: boolean }

function parseHint(written: string): Hint {
  const number = /\d/.test(written) ? written.replace(/^#/, '') : undefined
  return { written, bare: normalizeName(written), number, isWord: /\p{L}{3}/u.test(written) }
}

function matchesFilter(card: KnownCard, { marks, number, printing }: ParsedFilter): boolean {
  return (
    marks.every((hint) => matchesHint(card, hint)) &&
    (number === undefined || isSameNumber(number, card.number ?? '')) &&
    (printing === undefined || card.printings.some((one) => matchesPrinting(printing, one)))
  )
}

/** Whether what stood behind a name is said of this card. */
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
