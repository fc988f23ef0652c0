import type { Deps } from '#deps.ts'
import { numberForms } from '#rules/catalog/number-forms.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import type { PhotoObservation, PhotoReading } from '#rules/photos/photo-reading.ts'
import { likelyNumbers, readFields } from '#rules/photos/read-fields.ts'
import { titleLines } from '#rules/photos/text-fit.ts'
import { decideVerdict, type Verdict } from '#rules/photos/verdict.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'

type ReadDeps = Pick<Deps, 'catalog' | 'reader'>

export type ReadPhotoInput = {
  /** Of the identification. */
  id: string
  photo: Uint8Array
  /** The game that the search is restricted to. */
  game: { id: number } | undefined
  /** Whether the top candidate comes with its prices. */
  prices: boolean
}

/**
 * Reads one photo and says which card it is, whoever asks: `data` of the specification.
 *
 * @throws ServiceError INVALID_IMAGE or IDENTIFY_UNAVAILABLE
 */
export async function readPhoto({ catalog, reader }: ReadDeps, asked: ReadPhotoInput) {
  const gameId = asked.game?.id
  const seen = await reader.read(asked.photo, { gameId })
  const { reading, cards } = findCandidates(catalog, seen, gameId)
  const slugs = catalog.games.listFreshness().map(({ slug }) => slug)
  const verdict = decideVerdict(reading, cards, slugs)
  return answerOf(asked.id, verdict, asked.prices && catalog.prices)
}

/** What the print of a photo says in this catalog, and the cards that it may show. */
export function findCandidates(
  { candidates }: Pick<Deps['catalog'], 'candidates'>,
  seen: PhotoObservation,
  gameId: number | undefined,
): { reading: PhotoReading; cards: CandidateCard[] } {
  const shapes = candidates.getNumberShapes(gameId)
  const reading = { ...seen, print: readFields(seen.lines, seen, shapes) }
  return { reading, cards: cardsFor(candidates, reading, gameId, shapes) }
}

/** Those that look like the photo, those that its print may name, and what shows the same art. */
function cardsFor(
  candidates: Deps['catalog']['candidates'],
  reading: PhotoReading,
  gameId: number | undefined,
  shapes: ReadonlySet<string>,
): CandidateCard[] {
  const within = { gameId, limit: NAMED_MAX }
  const seen = reading.neighbors.map(({ card_id }) => card_id)
  const numbers = numbersIn(reading, shapes)
  const numbered = candidates.findByNumbers(numbers.flatMap(numberForms), within)
  const named = candidates.findByNames(namesIn(reading), within)
  const found = new Set([...seen, ...numbered, ...named])
  // Cards of one art stand beside each other: whichever of them was found, the others may be meant.
  return candidates.getByIds([...found.union(new Set(candidates.listSiblings(seen)))])
}

/** Cards that are thought of because of one number, or of names alike. */
const NAMED_MAX = 150

/** The number, or what may be one where none was surely read. */
function numbersIn({ print, lines }: PhotoReading, shapes: ReadonlySet<string>): string[] {
  return print.readable.number ? [print.number] : likelyNumbers(lines, shapes)
}

/** A shorter text is like too many names. */
const NAME_LENGTH_MIN = 3

/** The name, or what may be one where none was surely read. */
function namesIn({ print, lines }: PhotoReading): string[] {
  const names = print.readable.name ? [print.name] : titleLines(lines).map(({ text }) => text)
  return names.filter((name) => name.length >= NAME_LENGTH_MIN)
}

/** `data` of the specification: the members in its order, prices with the top candidate alone. */
function answerOf(
  id: string,
  { status, message, read, candidates, warnings }: Verdict,
  prices: Deps['catalog']['prices'] | false,
) {
  const told = candidates.map(candidateOf)
  const [top, ...others] = told
  const priced =
    top === undefined || prices === false
      ? told
      : [{ ...top, prices: pricesOf(prices, top.card_id) }, ...others]
  return { id, status, message, read: readOf(read), candidates: priced, warnings }
}

function readOf(read: Verdict['read']) {
  const { game, name, number, set, language, kind } = read
  const { product_type, finish, stamp, grade, readable, notes } = read
  return {
    ...{ game, name, number, set, language, kind },
    ...{ product_type, finish, stamp, grade, readable, notes },
  }
}

function candidateOf({ card, match, suggested_printing, score }: Verdict['candidates'][number]) {
  const { id, name, number, rarity, product_type, set, game, image_url, printings } = card
  return {
    ...{ card_id: id, marketplace_id: id, name, number, rarity, product_type, set },
    game: { slug: game.slug, name: game.name },
    ...{ image_url, match, printings, suggested_printing },
    // More digits would claim more than is known.
    score: Math.round(score * 10_000) / 10_000,
  }
}

function pricesOf(prices: Deps['catalog']['prices'], cardId: number): PriceJson[] {
  // The text was written by price-text.ts, so its shape is known.
  return JSON.parse(prices.getByCard(cardId) ?? '[]') as PriceJson[]
}
