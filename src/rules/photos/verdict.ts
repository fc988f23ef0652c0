import { withoutMarks } from '../catalog/number-forms.ts'
import type { CandidateCard } from './candidate-card.ts'
import { gamesByCopyright } from './copyright-owners.ts'
import { retakeAdvice } from './photo-quality.ts'
import type { PhotoKind, PhotoReading, PrintReading } from './photo-reading.ts'
import { productTypeFor, type ScoredCandidate, scoreCandidates } from './score-candidates.ts'
import type { PrintedLine } from './text-line.ts'
import type { TextMatch } from './text-match.ts'
import { CANDIDATES_MAX, THRESHOLDS } from './thresholds.ts'
import type { VisualSimilarity } from './visual-similarity.ts'

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
  match: TextMatch
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
export function decideVerdict(
  reading: PhotoReading,
  cards: readonly CandidateCard[],
  games: readonly string[],
): Verdict {
  const refusal = refusalOf(reading)
  if (refusal !== undefined) return verdict('retake', reading, [], refusal)
  const weighed = scoreCandidates(reading, cards)
  const near = weighed.filter(({ isPlausible }) => isPlausible)
  if (reading.items > 1) return verdict('retake', reading, near, ONE_AT_A_TIME)
  const language = languageRefused(reading.print.language, near)
  if (language !== undefined) return verdict('unsupported', reading, [], null, language)
  const game = near.length === 0 ? gameRefused(reading.lines, games) : undefined
  if (game !== undefined) return verdict('unsupported', reading, [], null, game)
  if (isMatched(near[0], weighed, reading)) return verdict('matched', reading, near)
  const advice = reading.quality === undefined ? [] : retakeAdvice(reading.quality)
  if (advice.length > 0) return verdict('retake', reading, near, advice.join(' '))
  const chance = near.reduce((sum, { score }) => sum + score, 0)
  return chance >= THRESHOLDS.plausible.totalScoreMin
    ? verdict('ambiguous', reading, near)
    : verdict('not_found', reading, [])
}

const ONE_AT_A_TIME = 'Photograph one card at a time.'

/** Why there is nothing to compare. */
function refusalOf({ kind }: PhotoReading): string | undefined {
  if (kind === undefined) {
    return 'No card was found. Fill the frame with one card, on a plain background and in good light.'
  }
  return kind === 'back' ? 'This is the back of a card. Turn it over.' : undefined
}

/** Whether the best card is the one: it fits, and no other that fits can be told from it. */
function isMatched(
  best: ScoredCandidate | undefined,
  candidate: readonly ScoredCandidate[],
  reading: PhotoReading,
): boolean {
  if (best === undefined || !best.isConsistent) return false
  const rivals = candidate.filter((other) => other !== best && other.isConsistent)
  return best.similarity === undefined
    ? isMatchedByPrint(best, rivals, reading)
    : isMatchedByArt(best.similarity, best, rivals, reading)
}

/**
 * It looks like the photo and nothing else does. Art alone never decides between cards that share it:
 * the letters of the number must tell them apart.
 */
function isMatchedByArt(
  similarity: VisualSimilarity,
  best: ScoredCandidate,
  rivals: readonly ScoredCandidate[],
  { print }: PhotoReading,
): boolean {
  const siblings = rivals.filter((rival) => rival.similarity?.art === similarity.art)
  if (!siblings.every((sibling) => isToldApart(best, sibling))) return false
  const { match, score } = best
  const { byArt, byArtAndNumber } = THRESHOLDS.matched
  const asked = print.readable.number && match.number === 'exact' ? byArtAndNumber : byArt
  return (
    score >= asked.scoreMin &&
    similarity.cosine >= asked.cosineMin &&
    similarity.margin >= asked.marginMin &&
    similarity.distance <= asked.distanceMax
  )
}

/** By the letters of the numbers; of a card without a number nothing is told. */
function isToldApart(
  { card, fit: { number: own } }: ScoredCandidate,
  { fit: { number: other } }: ScoredCandidate,
) {
  const { fitMin, oddsMin } = THRESHOLDS.matched.byLetters
  if (own === undefined || other === undefined || own < fitMin) return false
  // A fit is the mean factor of a letter.
  return (own / other) ** withoutMarks(card.number ?? '').length >= oddsMin
}

/**
 * Its picture is not known, but its name and its number were read, and the number names its set, too:
 * by the total, by a code in it, or beside it. Nothing else may be called the same.
 */
function isMatchedByPrint(
  { card, match, score }: ScoredCandidate,
  rivals: readonly ScoredCandidate[],
  { print }: PhotoReading,
): boolean {
  const { byPrint, wordsMin } = THRESHOLDS.matched
  const isSame = ({ match }: Pick<ScoredCandidate, 'match'>) =>
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
function languageRefused(language: string, near: readonly ScoredCandidate[]): string | undefined {
  if (language === '' || language === 'English') return undefined
  const isListed = near.some(({ card }) => LANGUAGE_OF_GAME.get(card.game.slug) === language)
  return isListed ? undefined : `The catalog lists no cards in this language (${language}).`
}

/** Why a card's game is none of the catalog's; undefined where it is, or is not known. */
function gameRefused(lines: readonly PrintedLine[], games: readonly string[]): string | undefined {
  const named = gamesByCopyright(lines)
  if (named === undefined || named.some((game) => games.includes(game))) return undefined
  return `The catalog does not list this game (${named.join(' or ')}).`
}

function verdict(
  status: VerdictStatus,
  reading: PhotoReading,
  near: readonly ScoredCandidate[],
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
      product_type: kind === undefined ? '' : productTypeFor(kind),
      notes,
    },
  }
}

/** The game, where all candidates are of one. */
function gameOf(near: readonly ScoredCandidate[]): string {
  const [only, ...others] = new Set(near.slice(0, CANDIDATES_MAX).map(({ card }) => card.game.slug))
  return only !== undefined && others.length === 0 ? only : ''
}

function warningsFor(kind: PhotoKind | undefined): string[] {
  if (kind === 'graded slab') {
    return ['A graded card: the prices are those of the raw card.']
  }
  return kind === 'sealed' ? ['A sealed product: whether it is still sealed was not checked.'] : []
}
