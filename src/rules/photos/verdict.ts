import { type CandidateCard, LANGUAGE_OF_GAME } from './candidate-card.ts'
import { gamesByCopyright } from './copyright-owners.ts'
import { decideStamp } from './finish.ts'
import { languageOfNumber } from './parse-collector-line.ts'
import { adviceForSmallFile, isDark, retakeAdvice } from './photo-quality.ts'
import type { PhotoKind, PhotoReading, PrintReading } from './photo-reading.ts'
import {
  hasOtherName,
  isNameRead,
  productTypeFor,
  type ScoredCandidate,
  scoreCandidates,
} from './score-candidates.ts'
import { type PrintedLine, soleValue } from './text-line.ts'
import type { TextMatch } from './text-match.ts'
import { CANDIDATES_MAX, THRESHOLDS } from './thresholds.ts'
import { isMatchedByArt } from './verdict/match-by-art.ts'
import { isMatchedByPrint } from './verdict/match-by-print.ts'
import { isSureByArt, settleKind } from './verdict/sure-picture.ts'
import { explainAmbiguous, explainNotFound } from './verdict-message.ts'

export const VERDICT_STATUSES = [
  'matched',
  'ambiguous',
  'retake',
  'not_found',
  'unsupported',
] as const
export type VerdictStatus = (typeof VERDICT_STATUSES)[number]

export type Candidate = Pick<ScoredCandidate, 'card' | 'suggested_printing' | 'score'> & {
  match: TextMatch & {
    /** True if the card has no picture, and was found by a photo that people have named. */
    reference: boolean
  }
}

export type Verdict = {
  status: VerdictStatus
  /** Advice for `retake`; null for `matched`; otherwise the reason. */
  message: string | null
  /** Best first. */
  candidates: Candidate[]
  warnings: string[]
  read: PrintReading & {
    /** Slug; empty if undecided. */
    game: string
    kind: PhotoKind | ''
    product_type: 'Cards' | 'Sealed Products' | ''
    /** Number of cards in the photo, all of similar size. */
    cards: number
    /** Further information, in sentences. */
    notes: string
  }
}

/**
 * Decides which cards of the catalog fit the photo: one, several, or none. A wrong `matched` costs money, an
 * `ambiguous` only a click, so a card is matched only if every rival is excluded.
 *
 * @param cards neighbors, cards that the text may name, and cards of the same art, in any order
 * @param games slugs of all games in the catalog
 */
export function decideVerdict(
  observed: PhotoReading,
  cards: readonly CandidateCard[],
  games: readonly string[],
): Verdict {
  const reading = settleKind(observed, cards)
  const scored = scoreCandidates(reading, cards)
  const reason = retakeReason(reading)
  if (reason !== undefined) return verdict('retake', reading, [], reason)
  const plausible = scored.filter(({ isPlausible }) => isPlausible)
  if (reading.items > 1) return verdict('retake', reading, plausible, ONE_AT_A_TIME)
  const language = unsupportedLanguage(reading.print.language, plausible)
  if (language !== undefined && !outranksLanguage(plausible[0], reading)) {
    return verdict('unsupported', reading, [], language, language)
  }
  const game = plausible.length === 0 ? unsupportedGame(reading.lines, games) : undefined
  if (game !== undefined) return verdict('unsupported', reading, [], game, game)
  const isEnglish = language === undefined || hasLatinName(plausible[0])
  if (isEnglish && isMatched(plausible[0], scored, reading)) {
    return verdict('matched', reading, plausible)
  }
  const advice = retakeAdvice(reading)
  if (advice.length > 0) return verdict('retake', reading, plausible, advice.join(' '))
  const total = plausible.reduce((sum, { score }) => sum + score, 0)
  if (total < THRESHOLDS.plausible.totalScoreMin && !plausible.some(isNameRead)) {
    return verdict('not_found', reading, [], explainNotFound(reading))
  }
  const message = language ?? explainAmbiguous(plausible, reading)
  return verdict('ambiguous', reading, plausible, message)
}

/**
 * Returns true if the picture outranks the language. Scripts are guessed from the look of lines, and sideways rules
 * or symbols may look foreign. A language printed as a code is not outranked.
 */
function outranksLanguage(best: ScoredCandidate | undefined, { lines }: PhotoReading): boolean {
  return lines.some(({ script }) => script !== 'latin') && isSureByArt(best)
}

/** Returns true if the name of the card is printed in Latin letters, unlike on foreign printings. */
function hasLatinName(best: ScoredCandidate | undefined): boolean {
  return best !== undefined && isNameRead(best)
}

const ONE_AT_A_TIME = 'Photograph one card at a time, or read them all with POST /v1/identify/page.'

/** Returns true if a photo must be taken again because it shows several cards. */
export function showsSeveralCards({
  status,
  message,
}: Pick<Verdict, 'status' | 'message'>): boolean {
  return status === 'retake' && message === ONE_AT_A_TIME
}

const FILL_THE_FRAME = 'Fill the frame with one card, on a plain background and in good light.'

/** Returns the reason why the photo cannot be compared; undefined if it can. */
function retakeReason({ kind, photo, quality }: PhotoReading): string | undefined {
  if (kind === undefined) {
    const remedy = adviceForSmallFile(photo) ?? FILL_THE_FRAME
    return `No card was found. ${remedy}`
  }
  if (kind !== 'back') return undefined
  // In the dark, a face looks like a back.
  return quality !== undefined && isDark(quality)
    ? 'The photo is dark. Take it in more light, with the front of the card up.'
    : 'This is the back of a card. Turn it over.'
}

/** Returns true if the best card is consistent and distinguishable from every rival. */
function isMatched(
  best: ScoredCandidate | undefined,
  scored: readonly ScoredCandidate[],
  reading: PhotoReading,
): boolean {
  if (best === undefined || !best.isConsistent) return false
  const others = scored.filter((other) => other !== best)
  return isMatchedByArt(best, others, reading) || isMatchedByPrint(best, others, reading)
}

/** Returns a note if the catalog lacks the language that was read; otherwise undefined. */
function unsupportedLanguage(
  language: string,
  plausible: readonly ScoredCandidate[],
): string | undefined {
  if (language === '' || language === 'English') return undefined
  const isListed = plausible.some(
    ({ card }) =>
      LANGUAGE_OF_GAME.get(card.game.slug) === language ||
      languageOfNumber(card.number) === language,
  )
  return isListed ? undefined : `The catalog lists no cards in this language (${language}).`
}

/** Returns a note if the catalog lacks the game of the card; otherwise undefined. */
function unsupportedGame(
  lines: readonly PrintedLine[],
  games: readonly string[],
): string | undefined {
  const named = gamesByCopyright(lines)
  if (named === undefined || named.some((game) => games.includes(game))) return undefined
  return `The catalog does not list this game (${named.join(' or ')}).`
}

/** Number of steps of a score in responses. */
export const SCORE_STEPS = 10_000

/** Returns true for the best card, and for others whose score is not rounded to 0. */
function isListed({ score }: ScoredCandidate, index: number): boolean {
  return index === 0 || Math.round(score * SCORE_STEPS) > 0
}

function verdict(
  status: VerdictStatus,
  reading: PhotoReading,
  plausible: readonly ScoredCandidate[],
  message: string | null = null,
  notes = '',
): Verdict {
  const { print, kind } = reading
  const listed = plausible.filter(isListed).slice(0, CANDIDATES_MAX)
  const slugs = listed.map(({ card }) => card.game.slug)
  return {
    status,
    message,
    candidates: listed.map((candidate) => ({
      card: candidate.card,
      match: matchAsUsed(candidate, listed, print),
      suggested_printing: candidate.suggested_printing,
      score: candidate.score,
    })),
    warnings: warningsFor(reading, status, plausible[0]),
    read: {
      ...print,
      stamp: decideStamp(
        reading,
        plausible.map(({ card }) => card),
      ),
      game: status === 'matched' || status === 'ambiguous' ? soleValue(slugs) : '',
      kind: kind ?? '',
      product_type: kind === undefined ? '' : productTypeFor(kind),
      cards: reading.items,
      notes,
    },
  }
}

/**
 * Returns the match with uncertain fields whose letters helped to find or order the candidates: the fit of the name,
 * and the number if no candidate's number fits better.
 */
function matchAsUsed(
  { match, fit, similarity }: ScoredCandidate,
  listed: readonly ScoredCandidate[],
  { readable }: PrintReading,
): Candidate['match'] {
  const { nameFitMin, numberFitMin } = THRESHOLDS.named
  const best = Math.max(numberFitMin, ...listed.map((one) => one.fit.number ?? 0))
  const isNumber = !readable.number && (fit.number ?? 0) >= best
  const name = fit.name ?? 0
  return {
    ...match,
    number: isNumber ? 'exact' : match.number,
    name: readable.name || name < nameFitMin ? match.name : Math.round(100 * name) / 100,
    reference: similarity?.isLearned === true,
  }
}

/** Warning about a slab, unless the prices are those of its grade. */
export const RAW_PRICE_WARNING = 'This is a graded card. Prices are for the raw card.'

function warningsFor(
  { kind, isMirrored, print }: PhotoReading,
  status: VerdictStatus,
  best: ScoredCandidate | undefined,
): string[] {
  if (best === undefined) return []
  const warnings = isMirrored ? ['The photo is mirrored. It was read as in a mirror.'] : []
  if (kind === 'graded slab') warnings.push(RAW_PRICE_WARNING)
  if (kind === 'sealed') warnings.push('This is a sealed product. Its seal was not checked.')
  if (status === 'matched' && hasOtherName(print, best.match, best.card)) {
    warnings.push(
      `The name ${print.name} was read, but the catalog names this card ${best.card.name}.`,
    )
  }
  return warnings
}
