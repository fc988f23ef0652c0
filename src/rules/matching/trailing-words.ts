// Words that people and apps write behind a line that already names its card: `1 Sol Ring (C21) 263 foil NM $1.50`.
import { type LanguageCode, parseLanguage } from '../collections/languages.ts'
import { parseCondition } from '../pricing/conditions.ts'
import { parseAmount } from '../pricing/parse-amount.ts'
import type { Condition } from '../pricing/price-key.ts'
import { FINISHES } from './finishes.ts'

/** Facts about copies that a line states; undefined if it does not. */
export type LineFacts = {
  condition: Condition | undefined
  language: LanguageCode | undefined
}

/** The words behind a line. */
export type TrailingWords = LineFacts & {
  /** Name of the finish. */
  printing: string | undefined
  /** True if some of the words have no meaning for a collection: a price may be today's, or one that is asked. */
  hasUnknownWords: boolean
  /** Unknown words in brackets, which may name a variant: `Master Ball` of `(Master Ball)`. */
  bracketed?: readonly string[]
}

/**
 * Separates the words behind a set and a number from a line, or, without these, known words at its end. A comment
 * (`// ramp`) and tags in square brackets have no meaning for a card.
 *
 * @returns undefined for a line without such words
 */
export function takeTrailingWords(
  line: string,
): { text: string; trailing: TrailingWords } | undefined {
  const words = line.split(' ')
  const end = findEndOfCard(words)
  if (end !== undefined) {
    const tail = words.slice(end).join(' ').match(TOKENS) ?? []
    const isTagged = tail.every((word) => meaningOf(word)?.kind === 'tag')
    return isTagged
      ? undefined
      : { text: words.slice(0, end).join(' '), trailing: readRemarks(tail) }
  }
  const { end: nameEnd, trailing } = readEnd(words)
  return nameEnd === words.length
    ? undefined
    : { text: words.slice(0, nameEnd).join(' '), trailing }
}

/** Words, and tags of several words. */
const TOKENS = /\[[^[\]]*\]|\S+/g

/** Returns the index behind the set and the number of a line, or behind a set in brackets; undefined without them. */
function findEndOfCard(words: readonly string[]): number | undefined {
  for (let at = words.length - 1; at > 0; at--) {
    const [word = '', before = ''] = [words[at], words[at - 1]]
    const isNumbered = NUMBER.test(word) && SET.test(before)
    if (isNumbered || TOTALED_NUMBER.test(word)) return at + 1
  }
  const first = Math.max(1, words.length - TAIL_WORDS_MAX)
  for (let at = words.length - 1; at >= first; at--) {
    const word = words[at] ?? ''
    if (SET_END.test(word) && (meaningOf(word)?.kind ?? 'tag') === 'tag') return at + 1
  }
  return undefined
}

/** A set in brackets that is further from the end is not looked for. */
const TAIL_WORDS_MAX = 12

const NUMBER =
  /^[[(<]?#?\p{L}{0,5}(?:\d{1,2}-|-)?\d+\p{L}{0,2}(?:_\w{2})?[★*†]?(?:\/\p{L}{0,5}\d+)?[\])>]?$/u
const TOTALED_NUMBER = /^#?\p{L}{0,5}\d+\/\p{L}{0,5}\d+$/u
const SET = /[)\]>]$|^[A-Z][A-Z0-9-]{1,6}$/
const SET_END = /[)\]>]$/

/** Reads words behind a complete card up to the first one without a meaning; the rest is a remark. */
function readRemarks(words: readonly string[]): TrailingWords {
  const trailing = nothing()
  let at = 0
  while (at < words.length && words[at] !== '//') {
    const known = readPhrase(words, (length) => [at, at + length])
    const isMark = !/[\p{L}\p{N}$€£]/u.test(words[at] ?? '')
    if (known === undefined && !isMark) {
      const found = words.slice(at).join(' ').matchAll(BRACKETED)
      // Each may cost a search.
      const bracketed = [...new Set([...found].map(([, text = '']) => text))].slice(
        0,
        BRACKETED_MAX,
      )
      return { ...trailing, hasUnknownWords: true, ...(bracketed.length > 0 && { bracketed }) }
    }
    if (known !== undefined) keep(trailing, known)
    at += known?.length ?? 1
  }
  return trailing
}

const BRACKETED = /\(([^()]+)\)/g
const BRACKETED_MAX = 4

/** Reads words from the end of a name up to the first one without a meaning. */
function readEnd(words: readonly string[]): { end: number; trailing: TrailingWords } {
  const trailing = nothing()
  let end = words.length
  while (end > 1) {
    const known = readPhrase(words, (length) => [Math.max(1, end - length), end])
    if (known === undefined || !isUnmistakable(known.words)) break
    keep(trailing, known)
    end -= known.length
  }
  return { end, trailing }
}

function nothing(): TrailingWords {
  return {
    printing: undefined,
    condition: undefined,
    language: undefined,
    hasUnknownWords: false,
  }
}

function keep(trailing: TrailingWords, known: Meaning): void {
  if (known.kind === 'printing') trailing.printing = known.value
  if (known.kind === 'condition') trailing.condition = known.value
  if (known.kind === 'language') trailing.language = known.value
  if (known.kind === 'price') trailing.hasUnknownWords = true
}

type Meaning =
  | { kind: 'printing'; value: string }
  | { kind: 'condition'; value: Condition }
  | { kind: 'language'; value: LanguageCode }
  | { kind: 'price' | 'tag' }

type Phrase = Meaning & { words: string; length: number }

/** Reads the longest phrase with a meaning in a range of words: `Near Mint`, `reverse holo`. */
function readPhrase(
  words: readonly string[],
  rangeOf: (length: number) => [start: number, end: number],
): Phrase | undefined {
  for (let length = PHRASE_WORDS_MAX; length > 0; length--) {
    const phrase = words.slice(...rangeOf(length))
    const meaning = meaningOf(phrase.join(' '))
    if (meaning !== undefined) return { ...meaning, words: phrase.join(' '), length: phrase.length }
  }
  return undefined
}

const PHRASE_WORDS_MAX = 3

function meaningOf(written: string): Meaning | undefined {
  if (written.length > PHRASE_CHARACTERS_MAX) return undefined
  const isTag = /^(?:\[.*\]|\{.*\})$/.test(written)
  const words = written.replace(/,$/, '').replace(/^[([{](.*)[)\]}]$/, '$1')
  const finish = FINISHES.get(words.replace(/[^a-z]/gi, '').toLowerCase())
  if (finish !== undefined && /^[\p{L} *-]+$/u.test(words))
    return { kind: 'printing', value: finish }
  if (/^[$€£]|[$€£]$|\d ?[A-Z]{3}$/i.test(words) && parseAmount(words) !== undefined) {
    return { kind: 'price' }
  }
  const { condition, printing } = parseCondition(words, 'american') ?? {}
  if (condition !== undefined && printing === null) return { kind: 'condition', value: condition }
  const language = parseLanguage(words)
  if (language !== undefined) return { kind: 'language', value: language }
  return isTag ? { kind: 'tag' } : undefined
}

const PHRASE_CHARACTERS_MAX = 40

/** Returns true for words that end no card's name, and are no set's code. */
function isUnmistakable(words: string): boolean {
  return /^(?:[$€£]|(?:NM|LP|DMG)$)|[$€£]$|^\p{L}{4,}(?:[ -]\p{L}+)*$/u.test(words)
}
