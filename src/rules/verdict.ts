import type { CandidateCard } from './candidate.ts'
import { gamesOfOwner } from './owners.ts'
import { adviceFor } from './photo-quality.ts'
import { type PrintFit, printFitsOf } from './print-fit.ts'
import { type Match, matchOf, suggestedPrinting } from './print-match.ts'
import type { PrintedLine } from './printed-line.ts'
import type { PhotoKind, PhotoReading, PrintReading } from './reading.ts'
import { type Sight, sightsOf } from './sight.ts'
import { CANDIDATES_MAX, THRESHOLDS } from './thresholds.ts'

export const VERDICT_STATUSES = [
  'matched',
  'ambiguous',
  'retake',
  'not_found',
  'unsupported',
] as const
export type VerdictStatus = (typeof VERDICT_STATUSES)[number]

export type Candidate = {
  card: CandidateCard
  match: Match
  suggested_printing: string | null
  /** 0 to 1: how well it fits all that was seen. */
  score: number
}

export type Verdict = {
  status: VerdictStatus
  /** For `retake`: what to do. */
  message: string | null
  /** Best first. */
  candidates: Candidate[]
  warnings: string[]
  read: PrintReading & {
    /** Slug; empty where the photo does not decide it. */
    game: string
    kind: PhotoKind | ''
    product_type: 'Cards' | 'Sealed Products' | ''
    /** What else there is to know, in sentences. */
    notes: string
  }
}

/**
 * What a photo comes to: which cards of the catalog fit everything that was seen, and whether that is
 * one card, several, or none. A wrong `matched` costs money and an honest `ambiguous` a click, so a
 * card is matched only where nothing that could speak for another one was left unseen.
 *
 * @param cards the cards of `reading.near`, those that the print may name, and those that may show the
 *   same art, in any order
 * @param games slugs of all games of the catalog
 */
export function judge(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
  games: readonly string[],
): Verdict {
  const refusal = refusalOf(reading)
  if (refusal !== undefined) return verdict('retake', reading, [], refusal)
  const weighed = weigh(reading, cards)
  const near = weighed.filter(isNear)
  if (reading.items > 1) return verdict('retake', reading, near, ONE_AT_A_TIME)
  const language = languageRefused(reading.print.language, near)
  if (language !== undefined) return verdict('unsupported', reading, [], null, language)
  const game = near.length === 0 ? gameRefused(reading.lines, games) : undefined
  if (game !== undefined) return verdict('unsupported', reading, [], null, game)
  if (isMatched(near[0], weighed, reading)) return verdict('matched', reading, near)
  const advice = reading.quality === undefined ? [] : adviceFor(reading.quality)
  if (advice.length > 0) return verdict('retake', reading, near, advice.join(' '))
  return verdict(near.length > 0 ? 'ambiguous' : 'not_found', reading, near)
}

const ONE_AT_A_TIME = 'Photograph one card at a time.'

/** Why there is nothing to compare. */
function refusalOf({ kind }: PhotoReading): string | undefined {
  if (kind === undefined) {
    return 'No card was found. Fill the frame with one card, on a plain background and in good light.'
  }
  return kind === 'back' ? 'This is the back of a card. Turn it over.' : undefined
}

/** A card with all that speaks for and against it. */
type Weighed = Candidate & {
  /** Undefined: its picture is not known, or not near. */
  sight: Sight | undefined
  /** Whether the print names it. */
  isNamed: boolean
  /** Sum of the evidence: the score before it is held against the others'. */
  weight: number
  /** Nothing that was read contradicts it. */
  fits: boolean
}

type Unscored = Omit<Weighed, 'score'>

/** Every card that the printed number allows, best first. */
function weigh(reading: PhotoReading, cards: readonly CandidateCard[]): Weighed[] {
  const { print, kind } = reading
  const allowed = cards
    .toSorted((one, other) => one.id - other.id)
    .flatMap((card) => {
      const match = matchOf(print, card)
      return match === undefined ? [] : [{ card, match }]
    })
  const sights = sightsOf(
    reading.near,
    allowed.map(({ card }) => card),
  )
  const fitOf = printFitsOf(reading.lines)
  const weighed = allowed.flatMap(({ card, match }) => {
    const fit = fitOf(card)
    const sight = sights.get(card.id)
    const isNamed = names(print, match, fit)
    if (sight === undefined && !isNamed) return []
    const isProduct = kind === undefined || card.product_type === productOf(kind)
    const weight = weightOf(print, match, fit, isProduct) + weightOfSight(sight, card)
    const fits = isProduct && agrees(print, match)
    const suggested_printing = suggestedPrinting(print, card.printings)
    return [{ card, match, suggested_printing, sight, isNamed, weight, fits }]
  })
  return withScores(weighed).toSorted(
    (one, other) => other.weight - one.weight || newestFirst(one, other),
  )
}

/** Whether a card is to be thought of because of what is printed on it, however its picture looks. */
function names({ readable }: PrintReading, match: Match, fit: PrintFit): boolean {
  const { wordsMin } = THRESHOLDS.matched
  const { nameFitMin } = THRESHOLDS.said
  const isName = readable.name ? match.name >= wordsMin : (fit.name ?? 0) >= nameFitMin
  return isName || (match.number !== 'unknown' && match.name > 0)
}

/** Among equals, the newest set first: its cards are what people scan. */
function newestFirst({ card }: Weighed, { card: other }: Weighed): number {
  const [date, otherDate] = [card.release_date ?? '', other.release_date ?? '']
  return date === otherDate ? card.id - other.id : date < otherDate ? 1 : -1
}

function weightOf(print: PrintReading, match: Match, fit: PrintFit, isProduct: boolean): number {
  const of = THRESHOLDS.score
  // What was not read speaks neither way, but as far as its letters fit.
  const words = (isRead: boolean, share: number) => (isRead ? of.words * (1.5 * share - 0.5) : 0)
  const letters = (isRead: boolean, line: Line, share: number | undefined) =>
    isRead || share === undefined ? 0 : from(line, share)
  return (
    { exact: of.numberExact, partial: of.numberPartial, unknown: 0 }[match.number] +
    letters(print.readable.number, of.numberFit, fit.number) +
    words(print.readable.name, match.name) +
    letters(print.readable.name, of.nameFit, fit.name) +
    words(print.readable.set, match.set) +
    (match.edition ? 0 : of.editionWrong) +
    (isProduct ? 0 : of.productWrong)
  )
}

function weightOfSight(sight: Sight | undefined, { art_group }: CandidateCard): number {
  const { cosine, margin, distance, unseen, unlike } = THRESHOLDS.score
  if (sight === undefined) return art_group === null ? unseen : unlike
  return from(cosine, sight.cosine) + from(margin, sight.margin) + from(distance, sight.distance)
}

/** What a piece of evidence weighs: nothing at its zero. */
type Line = { zero: number; weight: number }

function from({ zero, weight }: Line, value: number): number {
  return weight * (value - zero)
}

/**
 * How likely each is to be the card, of all of them and of none: that weighs nothing. The largest
 * weight goes off first, because a power of it would be infinite.
 */
function withScores(weighed: readonly Unscored[]): Weighed[] {
  const most = Math.max(0, ...weighed.map(({ weight }) => weight))
  const chances = weighed.map(({ weight }) => Math.exp(weight - most))
  const all = chances.reduce((sum, chance) => sum + chance, Math.exp(-most))
  return weighed.map((one, index) => ({ ...one, score: (chances[index] ?? 0) / all }))
}

/** Whether the card has nothing against it: what was read is its own. */
function agrees({ readable }: PrintReading, match: Match): boolean {
  const { wordsMin } = THRESHOLDS.matched
  return (
    match.edition &&
    (!readable.name || match.name >= wordsMin) &&
    (!readable.set || match.set >= wordsMin)
  )
}

/** Whether the photo may show the card: its print says so, both measures do, or the vectors loudly. */
function isNear({ sight, isNamed }: Weighed): boolean {
  if (isNamed || sight === undefined) return isNamed
  const { cosineMin, distanceMax, cosineSure } = THRESHOLDS.near
  const { cosine, distance } = sight
  return cosine >= cosineSure || (cosine >= cosineMin && distance <= distanceMax)
}

/** Whether the best card is the one: it fits, and no other that fits can be told from it. */
function isMatched(
  best: Weighed | undefined,
  weighed: readonly Weighed[],
  reading: PhotoReading,
): boolean {
  if (best === undefined || !best.fits) return false
  const rivals = weighed.filter((other) => other !== best && other.fits)
  return best.sight === undefined
    ? isMatchedByPrint(best, rivals, reading)
    : isMatchedByArt(best.sight, best, rivals, reading)
}

/** It looks like the photo and nothing else does. Art alone never decides between cards that share it. */
function isMatchedByArt(
  sight: Sight,
  { match, score }: Weighed,
  rivals: readonly Weighed[],
  { print }: PhotoReading,
): boolean {
  if (rivals.some((rival) => rival.sight?.art === sight.art)) return false
  const { byArt, byArtAndNumber } = THRESHOLDS.matched
  const asked = print.readable.number && match.number === 'exact' ? byArtAndNumber : byArt
  return (
    score >= asked.scoreMin &&
    sight.cosine >= asked.cosineMin &&
    sight.margin >= asked.marginMin &&
    sight.distance <= asked.distanceMax
  )
}

/**
 * Its picture is not known, but its name and its number were read, and the number names its set, too:
 * by the total, by a code in it, or beside it. Nothing else may be called the same.
 */
function isMatchedByPrint(
  { card, match, score }: Weighed,
  rivals: readonly Weighed[],
  { print }: PhotoReading,
): boolean {
  const { byPrint, wordsMin } = THRESHOLDS.matched
  const isSame = ({ match }: Pick<Weighed, 'match'>) =>
    match.number === 'exact' && match.name >= wordsMin
  const tellsSet = match.set >= wordsMin || NAMES_SET.test(print.number)
  return (
    card.art_group === null &&
    score >= byPrint.scoreMin &&
    isSame({ match }) &&
    tellsSet &&
    !rivals.some(isSame)
  )
}

/** "4/102", "OP01-001": a number that a card of another set hardly has. */
const NAMES_SET = /[0-9]\/[A-Z]*[0-9]|[A-Z]{2,}[0-9]*-[A-Z]*[0-9]/

/** Games whose cards are listed in another language than English. */
const LANGUAGE_OF_GAME: ReadonlyMap<string, string> = new Map([['pokemon-japan', 'Japanese']])

/** Why a language that was read is none of the catalog's; undefined where it is, or was not read. */
function languageRefused(language: string, near: readonly Weighed[]): string | undefined {
  if (language === '' || language === 'English') return undefined
  const isListed = near.some(({ card }) => LANGUAGE_OF_GAME.get(card.game.slug) === language)
  return isListed ? undefined : `The catalog lists no cards in this language (${language}).`
}

/** Why a card's game is none of the catalog's; undefined where it is, or is not known. */
function gameRefused(lines: readonly PrintedLine[], games: readonly string[]): string | undefined {
  const named = gamesOfOwner(lines)
  if (named === undefined || named.some((game) => games.includes(game))) return undefined
  return `The catalog does not list this game (${named.join(' or ')}).`
}

function verdict(
  status: VerdictStatus,
  reading: PhotoReading,
  near: readonly Weighed[],
  message: string | null = null,
  notes = '',
): Verdict {
  const { kind, print } = reading
  return {
    status,
    message,
    candidates: near.slice(0, CANDIDATES_MAX).map(({ card, match, suggested_printing, score }) => ({
      card,
      match,
      suggested_printing,
      score,
    })),
    warnings: near.length > 0 ? warningsFor(kind) : [],
    read: {
      ...print,
      game: status === 'matched' || status === 'ambiguous' ? gameOf(near) : '',
      kind: kind ?? '',
      product_type: kind === undefined ? '' : productOf(kind),
      notes,
    },
  }
}

/** The game, where all candidates are of one. */
function gameOf(near: readonly Weighed[]): string {
  const [only, ...others] = new Set(near.slice(0, CANDIDATES_MAX).map(({ card }) => card.game.slug))
  return only !== undefined && others.length === 0 ? only : ''
}

function productOf(kind: PhotoKind): 'Cards' | 'Sealed Products' {
  return kind === 'sealed' ? 'Sealed Products' : 'Cards'
}

function warningsFor(kind: PhotoKind | undefined): string[] {
  if (kind === 'graded slab') {
    return ['A graded card: the prices are those of the raw card.']
  }
  return kind === 'sealed' ? ['A sealed product: whether it is still sealed was not checked.'] : []
}
