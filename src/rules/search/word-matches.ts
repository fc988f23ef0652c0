// Builds the full-text expressions of single words: as a word of the name, of the context (set, game,
// rarity, printing, product type) or as a collector number.
import { allOf, anyOf, type Match, prefix, token } from './match-expressions.ts'
import { canonicalNumber, joinedWord, ownNumber, queryNumber } from './search-document.ts'
import type { TypedWord, WordPart } from './typed-words.ts'

/** Looks words up in the index. */
export type Lexicon = {
  /** Returns true if any card matches the expression. */
  exists(match: Match): boolean
  /** Returns the tag of a context word; undefined if no context has it. */
  getContextTag(word: string): string | undefined
  /** Lists the tags of context words that begin with a text. */
  listContextTags(beginning: string): string[]
  /** Returns true if the name of a printing has the word. */
  isPrintingWord(word: string): boolean
  /** Lists the tags of the sets that have these words as their name or code. */
  listSetTags(words: readonly string[]): readonly string[]
}

export type WordOptions = {
  /** True if the word may be the beginning of a longer one. */
  isUnfinished: boolean
  /** True if the query has no other word. */
  isAlone: boolean
  /** True if a number may be the number of cards in the set, because the query has another number. */
  mayBeTotal: boolean
}

/** Returns the expression for the cards that a word describes. */
export function matchWord(typed: TypedWord, options: WordOptions, lexicon: Lexicon): Match {
  const { text, squashed } = typed
  const numbers = matchNumber(text, options, lexicon)
  // The 01 and the 016 of `OP01-016` are not useful as separate words.
  const isCode =
    squashed !== undefined &&
    hasDigit(text) &&
    (numbers.isExact || lexicon.listSetTags([squashed]).length > 0)
  const code = hasDigit(text) ? matchContextTags(canonicalNumber(text), FINISHED, lexicon) : []
  const inSet = squashed === undefined ? [] : matchContextTags(squashed, options, lexicon)
  const inParts = isCode ? [] : [matchParts(typed, options, lexicon)]
  return anyOf([...inParts, ...matchJoined(typed, options), ...inSet, ...code, ...numbers.matches])
}

/**
 * Returns the expressions for the cards with exactly this collector number, best first: with its total, and without
 * it for cards that list no total. A total that fits no card is ignored.
 */
export function listExactNumbers({ text, parts }: TypedWord, lexicon: Lexicon): Match[] {
  if (!hasDigit(text)) return []
  const exact = (queryNumber(text)?.exact ?? []).map(token).filter(lexicon.exists)
  if (exact.length > 0) return exact
  const isFraction = text.includes('/')
  // In `swsh12-139`, the number follows the code of the set.
  const own = isFraction ? ownNumber(text) : queryNumber(parts.at(-1)?.raw ?? '')?.exact[0]
  return own !== undefined && lexicon.exists(token(own)) ? [token(own)] : []
}

/** Returns the expression for cards whose name contains all parts of a word. */
export function matchInName({ parts, squashed }: TypedWord): Match {
  const inParts = allOf(parts.map(({ raw }) => token(raw)))
  return squashed === undefined ? inParts : anyOf([inParts, token(joinedWord(squashed))])
}

function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text)
}

/** Matches names of several parts that are typed as one word: `limduls`. */
function matchJoined({ squashed, parts }: TypedWord, { isUnfinished }: Ending): Match[] {
  const joined = squashed ?? parts.map(({ raw }) => raw).join('')
  if (squashed === undefined && joined.length < JOINED_MIN) return []
  return [isUnfinished ? prefix(joinedWord(joined)) : token(joinedWord(joined))]
}

/** Shorter words are rarely joined from others, and each expression takes time. */
const JOINED_MIN = 4

type Ending = Pick<WordOptions, 'isUnfinished' | 'isAlone'>

const FINISHED: Ending = { isUnfinished: false, isAlone: false }

function matchParts({ text, parts }: TypedWord, options: WordOptions, lexicon: Lexicon): Match {
  // The 4 of `4/102` alone is another number.
  const isFraction = hasDigit(text) && text.includes('/')
  const last = parts.length - 1
  return allOf(
    parts.map((part, at) => {
      const own = { ...options, isUnfinished: options.isUnfinished && at === last }
      const numbers =
        parts.length === 1 || isFraction ? [] : matchNumber(part.raw, own, lexicon).matches
      return anyOf([...matchPart(part, own, lexicon), ...numbers])
    }),
  )
}

function matchPart({ raw, plain }: WordPart, ending: Ending, lexicon: Lexicon): Match[] {
  const own = matchForm(raw, ending, lexicon)
  return plain === raw ? own : [...own, ...matchForm(plain, FINISHED, lexicon)]
}

function matchForm(form: string, ending: Ending, lexicon: Lexicon): Match[] {
  const name = ending.isUnfinished ? prefix(form) : token(form)
  return [name, ...matchContextTags(form, ending, lexicon)]
}

/** Minimum length of an incomplete word that is compared with names of sets: shorter ones would match most names. */
const CONTEXT_BEGINNING_MIN = { alone: 4, besideOthers: 2 }

function matchContextTags(
  form: string,
  { isUnfinished, isAlone }: Ending,
  lexicon: Lexicon,
): Match[] {
  const tag = lexicon.getContextTag(form)
  const least = isAlone ? CONTEXT_BEGINNING_MIN.alone : CONTEXT_BEGINNING_MIN.besideOthers
  if (!isUnfinished || form.length < least) return tag === undefined ? [] : [token(tag)]
  return lexicon.listContextTags(form).map(token)
}

/** Codes of letters only, such as the TG of `TG05`, are short. */
const LETTER_CODE = /^\p{L}{2,4}$/u

function matchNumber(text: string, { isUnfinished, mayBeTotal }: WordOptions, lexicon: Lexicon) {
  const isNumber = hasDigit(text)
  const number = isNumber || LETTER_CODE.test(text) ? queryNumber(text) : undefined
  if (number === undefined) return { matches: [], isExact: false }
  const isExact = isNumber && lexicon.exists(anyOf(number.exact.map(token)))
  const matches = [
    ...(isExact ? number.exact.map(token) : []),
    // 13 is not the beginning of 130 if a card has the number 13.
    ...(isNumber && isUnfinished && !isExact ? [prefix(number.beginning)] : []),
    ...(isNumber && mayBeTotal ? [token(number.total)] : []),
    token(number.part),
  ]
  return { matches, isExact }
}
