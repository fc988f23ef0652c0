import type { Deps } from '#deps.ts'
import { printedNames } from '#rules/catalog/names.ts'
import { numberForms } from '#rules/catalog/number-forms.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { confirmPrint, LIKELY_LIMITS } from '#rules/photos/confirm-print.ts'
import type { CardPlacement } from '#rules/photos/page-cut.ts'
import type {
  PhotoObservation,
  PhotoReading,
  PhotoSize,
  PrintReading,
} from '#rules/photos/photo-reading.ts'
import {
  likelyNumbers,
  type PrintVocabulary,
  type ReadingLimits,
  readFields,
} from '#rules/photos/read-fields.ts'
import type { NameLookup } from '#rules/photos/read-title.ts'
import { statesSeveral } from '#rules/photos/several-cards.ts'
import { settleSlab } from '#rules/photos/slab/label.ts'
import { readLabelSet } from '#rules/photos/slab/label-set.ts'
import { numberLines, titleLines } from '#rules/photos/text-fit.ts'
import { isNameBegun, matchText } from '#rules/photos/text-match.ts'
import {
  decideVerdict,
  RAW_PRICE_WARNING,
  SCORE_STEPS,
  type Verdict,
} from '#rules/photos/verdict.ts'
import type { PriceConfidence } from '#rules/pricing/confidence.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import type { PhotoSender } from '#vision/worker/photo-queue.ts'
import { assessPricesOn, type ShownPrice } from '../pricing/assess-prices.ts'
import { findGradedPrices, type GradedPrice } from './graded-prices.ts'

type ReadDeps = Pick<Deps, 'catalog' | 'reader'>

export type ReadPhotoInput = {
  /** Id of the identification. */
  id: string
  photo: Uint8Array
  sender: PhotoSender
  clientSignal?: AbortSignal | undefined
  /** Game to which the search is restricted. */
  game: { id: number } | undefined
  /** Adds prices to the top candidate. */
  prices: boolean
  /** Day for which the confidence of these prices is computed; undefined to omit it. */
  confidenceDay?: number | undefined
  /** Card of a page, if the photo was cut out of one. */
  card?: { placement: CardPlacement; page: PhotoSize }
}

/**
 * Reads one photo and returns the `data` of its identification (specification, Photo identification).
 *
 * @throws ServiceError INVALID_IMAGE, TOO_MANY_ATTEMPTS or IDENTIFY_UNAVAILABLE; ClientLeft
 */
export async function readPhoto(deps: ReadDeps, input: ReadPhotoInput) {
  return (await readPhotoAndFingerprint(deps, input)).data
}

/** Reads one photo as `readPhoto`, with the fingerprint of its card. */
export async function readPhotoAndFingerprint(
  { catalog, reader }: ReadDeps,
  input: ReadPhotoInput,
) {
  const gameId = input.game?.id
  const observation = await observe(reader, input)
  const { reading, cards } = findCandidates(catalog, observation, gameId)
  const slugs = catalog.games.listFreshness().map(({ slug }) => slug)
  const verdict = decideVerdict(reading, cards, slugs)
  const data = renderResult(input, verdict, input.prices ? catalog : undefined)
  return { data, fingerprint: observation.fingerprint }
}

async function observe(
  reader: ReadDeps['reader'],
  { photo, sender, clientSignal, game, card }: ReadPhotoInput,
): Promise<PhotoObservation> {
  const request = { gameId: game?.id, sender, clientSignal }
  if (card === undefined) return reader.read(photo, request)
  const observation = await reader.read(photo, { ...request, placement: card.placement })
  const { isCovered } = card.placement
  // Advice refers to the photo that was sent.
  return { ...observation, photo: card.page, ...(isCovered && { isCovered }) }
}

/** Interprets the text of a photo, and finds the cards that it may show. */
export function findCandidates(
  { candidates }: Pick<Deps['catalog'], 'candidates'>,
  observed: PhotoObservation,
  gameId: number | undefined,
): { reading: PhotoReading; cards: CandidateCard[] } {
  const vocabulary = openVocabulary(candidates, gameId)
  const observation = settleUnfound(settleSlab(observed), vocabulary)
  const read = (limits?: ReadingLimits) =>
    readFields(observation.lines, observation, vocabulary, limits)
  const reading = { ...observation, print: read() }
  const cards = findCards(candidates, reading, gameId, vocabulary.shapes)
  const likely = read(LIKELY_LIMITS)
  const known = new Set(cards.map(({ id }) => id))
  // Each card of the name may have the number that was read, or one that looks like it.
  const namesakes = likely.readable.name ? vocabulary.namesakes(likely.name) : []
  const named = union(cards, namesakes)
  const print = readLabelSet(reading, confirmPrint(reading, likely, named), named)
  const all = union(named, listLonger(print, named).flatMap(vocabulary.namesakes))
  const isTwin = (card: CandidateCard) =>
    print.readable.number && matchText(print, card) !== undefined
  return {
    reading: { ...reading, print },
    cards: all.filter((card) => known.has(card.id) || isTwin(card)),
  }
}

/** Returns all cards of both lists, each once. */
function union(cards: readonly CandidateCard[], others: readonly CandidateCard[]): CandidateCard[] {
  return [...new Map([...cards, ...others].map((card) => [card.id, card])).values()]
}

/** Lists the names that begin with the one that was read, and have a card with its number: a logo may be unread. */
function listLonger(print: PrintReading, cards: readonly CandidateCard[]): string[] {
  if (!print.readable.name || !print.readable.number) return []
  const longer = cards.filter(
    (card) => isNameBegun(print.name, card.name) && matchText(print, card)?.number === 'exact',
  )
  return [...new Set(longer.flatMap(({ name }) => printedNames(name)))]
}

/** Returns the observation as that of a raw card if no card was found, but the photo shows the name of one, not of more. */
function settleUnfound(observation: PhotoObservation, vocabulary: Vocabulary): PhotoObservation {
  if (observation.kind !== undefined || statesSeveral(observation.lines, vocabulary)) {
    return observation
  }
  const raw: PhotoObservation = { ...observation, kind: 'raw', items: 1 }
  const { readable, name } = readFields(raw.lines, raw, vocabulary)
  return readable.name && vocabulary.namesakes(name).length > 0 ? raw : observation
}

type Vocabulary = Omit<Required<PrintVocabulary>, 'namesakes'> & {
  namesakes: NameLookup<CandidateCard>
}

/** Opens the numbers and names of one game or of all games. */
export function openVocabulary(
  candidates: Deps['catalog']['candidates'],
  gameId: number | undefined,
): Vocabulary {
  const within = { gameId, limit: 1 }
  const known = new Map<string, CandidateCard[]>()
  return {
    shapes: candidates.getNumberShapes(gameId),
    isNumber: (number) => candidates.findByNumbers([number], within).length > 0,
    namesakes(name) {
      const cards =
        known.get(name) ??
        candidates.getByIds(candidates.findNamed(name, { gameId, limit: NAMESAKES_MAX }))
      known.set(name, cards)
      return cards
    },
  }
}

/** Finds cards with a similar picture, cards that the text may name, and cards with the same art. */
function findCards(
  candidates: Deps['catalog']['candidates'],
  reading: PhotoReading,
  gameId: number | undefined,
  shapes: ReadonlySet<string>,
): CandidateCard[] {
  const within = { gameId, limit: CANDIDATES_PER_TERM_MAX }
  const observation = reading.neighbors.map(({ card_id }) => card_id)
  const { print, lines } = reading
  // Possible numbers if none was read with certainty.
  const numbers = print.readable.number ? [print.number] : likelyNumbers(lines, shapes)
  const forms = [...numbers.flatMap(numberForms), ...numberLines(lines).map(({ text }) => text)]
  const numbered = candidates.findByNumbers(forms, within)
  const named = candidates.findByNames(listNames(reading), within)
  const found = new Set([...observation, ...numbered, ...named])
  // The photo may show any card of an art group.
  return candidates.getByIds([...found.union(new Set(candidates.listSiblings(observation)))])
}

/** The most frequent names have about 700 cards. */
const NAMESAKES_MAX = 2_000

/** Maximum number of cards by number, and by name. */
const CANDIDATES_PER_TERM_MAX = 150

/** A shorter text is similar to too many names. */
const NAME_LENGTH_MIN = 3

/** Returns the name, or possible names if none was read with certainty. */
function listNames({ print, lines }: PhotoReading): string[] {
  const names = print.readable.name ? [print.name] : titleLines(lines).map(({ text }) => text)
  return names.filter((name) => name.length >= NAME_LENGTH_MIN)
}

/** Members are in the order of the specification. Only the top candidate has prices. */
function renderResult(
  { id, confidenceDay }: Pick<ReadPhotoInput, 'id' | 'confidenceDay'>,
  { status, message, read, candidates, warnings }: Verdict,
  catalog: Deps['catalog'] | undefined,
) {
  const rendered = candidates.map(renderCandidate)
  const result = { id, status, message, read: renderReading(read) }
  const [top, ...others] = rendered
  if (top === undefined || catalog === undefined)
    return { ...result, candidates: rendered, warnings }
  const { prices, note } = findPrices(catalog, top.card_id, read.grade)
  return {
    ...result,
    candidates: [{ ...top, prices: addConfidence(catalog, prices, confidenceDay) }, ...others],
    warnings: warnings.map((warning) => (warning === RAW_PRICE_WARNING ? note : warning)),
  }
}

/** Finds the prices of a card: of the grade that was read, or of the raw card. */
function findPrices(
  catalog: Deps['catalog'],
  cardId: number,
  grade: string,
): { prices: (PriceJson | GradedPrice)[]; note: string } {
  return (
    findGradedPrices(catalog, cardId, grade) ?? {
      prices: catalog.prices.listByCard(cardId) ?? [],
      note: RAW_PRICE_WARNING,
    }
  )
}

type ConfidenceMembers = {
  confidence?: PriceConfidence['level'] | undefined
  confidence_reasons?: PriceConfidence['reasons'] | undefined
}

/** Adds the confidence of prices on a day. @param day undefined: the prices are returned unchanged */
function addConfidence<Price extends ShownPrice>(
  catalog: Deps['catalog'],
  prices: readonly Price[],
  day: number | undefined,
): (Price & ConfidenceMembers)[] {
  if (day === undefined) return [...prices]
  const confidences = assessPricesOn(day, { catalog }, prices)
  return prices.map((price, index) => {
    const { level, reasons } = confidences[index] ?? {}
    return { ...price, confidence: level, confidence_reasons: reasons }
  })
}

function renderReading(read: Verdict['read']) {
  const { game, name, number, set, language, kind } = read
  const { product_type, cards, finish, stamp, grade, readable, notes } = read
  return {
    game,
    name,
    number,
    set,
    language,
    kind,
    product_type,
    cards,
    finish,
    stamp,
    grade,
    readable,
    notes,
  }
}

function renderCandidate({
  card,
  match,
  suggested_printing,
  score,
}: Verdict['candidates'][number]) {
  const { id, name, number, rarity, product_type, set, game, image_url, printings } = card
  return {
    card_id: id,
    marketplace_id: id,
    name,
    number,
    rarity,
    product_type,
    set,
    game: { slug: game.slug, name: game.name },
    image_url,
    match,
    printings,
    suggested_printing,
    // The score is rounded to its precision.
    score: Math.round(score * SCORE_STEPS) / SCORE_STEPS,
  }
}
