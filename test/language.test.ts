/**
 * The language of the code: exported names, comments, messages and documents without words that
 * mislead readers.
 */
import { describe, expect, test } from 'bun:test'
import { readSources, type Source, tokensOf } from './support/source-text.ts'

/** Words that no exported name contains. */
const BANNED_NAMES = new Set(
  `ask asks asked asker askers admit admits bones deed deeds desk door doors examine examines eye guest
  house mend mends purse says shelf shelves sight sights tell tells told wish wishes`.split(/\s+/),
)

/** Phrases that no comment, message or document contains. */
const BANNED_PHRASES =
  /\b(?:(?<!there )is no (?!longer\b)|is none\b|are none\b|of ours\b|anew\b|meanwhile\b|whoever\b|as ever\b|by and by\b|mend(?:s|ed|ing)?\b|dearest\b|fares?\b|told\b)/i

/** First words that no comment begins with. */
const BANNED_OPENERS = /^(?:What|Whether|Who|Whoever|Where|The same|Those|Of|One)\b/

/**
 * British spellings: names, comments and documents use the American ones. Two are options of a library, and
 * greylisting is the term of RFC 6647.
 */
const BRITISH_SPELLINGS =
  /(?:(?<!to)colour|neighbour|behaviour|favour|flavour|grey(?!list)|recognis|normalis|quantis|capitalis|optimis(?!eCoding)|licence|metres?\b|(?<!aria-)labelled)/i

/** Places that a rule does not apply to. */
const EXCEPTIONS: [path: RegExp, reason: string][] = [
  [/^docs\/reference\/spec\.md$/, 'The specification is quoted as it was given.'],
  [/^test\/(language|architecture)\.test\.ts$/, 'These tests name the words.'],
  [/\/node_modules\//, 'Packages have their own authors.'],
]

const isExcepted = ({ path }: Source) => EXCEPTIONS.some(([pattern]) => pattern.test(path))
const all = (sources: readonly Source[]) => sources.filter((source) => !isExcepted(source))
const code = all(await readSources('{src,scripts,bench,test}/**/*.{ts,tsx}'))
const python = all(await readSources('{scripts,bench}/**/*.py'))
const documents = all(
  (await Promise.all(['*.md', '{docs,data,bench,scripts}/**/*.md'].map(readSources))).flat(),
).map(({ path, text }) => ({ path, text: text.replaceAll(/^```[\s\S]*?^```/gm, blank) }))

describe('the code', () => {
  test('exports no name with a banned word', () => {
    const exported = code.flatMap(({ path, text }) =>
      [
        ...text.matchAll(
          /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm,
        ),
      ].map(([, name = '']) => ({ path, name })),
    )
    const banned = exported.filter(({ name }) =>
      name.split(/(?<=[a-z\d])(?=[A-Z])|_/).some((word) => BANNED_NAMES.has(word.toLowerCase())),
    )
    expect(banned.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })

  test('has no comment that begins with a banned word', () => {
    const found = code.flatMap((source) =>
      commentsIn(source)
        .filter(({ text }) => BANNED_OPENERS.test(text))
        .map(({ at, text }) => placeOf(source, at, text)),
    )
    expect(found).toEqual([])
  })

  test('has no banned phrase in comments and messages', () => {
    const found = code.flatMap((source) =>
      [...commentsIn(source), ...messagesIn(source)]
        .filter(({ text }) => BANNED_PHRASES.test(text))
        .map(({ at, text }) => placeOf(source, at, text)),
    )
    expect(found).toEqual([])
  })
})

test('code and documents have American spellings', () => {
  const found = [...code, ...python, ...documents].flatMap((source) =>
    [...source.text.matchAll(new RegExp(BRITISH_SPELLINGS, 'gi'))].map(({ index }) =>
      placeOf(source, index, source.text.slice(Math.max(0, index - 30), index + 40)),
    ),
  )
  expect(found).toEqual([])
})

test('the documents have no banned phrase', () => {
  const found = documents.flatMap((source) =>
    [...source.text.matchAll(new RegExp(BANNED_PHRASES, 'gi'))].map(({ index }) =>
      placeOf(source, index, source.text.slice(Math.max(0, index - 30), index + 40)),
    ),
  )
  expect(found).toEqual([])
})

test.each([
  [BANNED_OPENERS, 'What it is.', true],
  [BANNED_OPENERS, 'Returns what it is.', false],
  [BANNED_PHRASES, 'This is no picture.', true],
  [BANNED_PHRASES, 'It is no longer there.', false],
  [BANNED_PHRASES, 'Retold stories', false],
  [BRITISH_SPELLINGS, 'The colours', true],
  [BRITISH_SPELLINGS, 'The colors', false],
  [BRITISH_SPELLINGS, 'aria-labelledby', false],
  [BRITISH_SPELLINGS, 'toGrey', true],
  [BRITISH_SPELLINGS, 'greylisting', false],
  [BRITISH_SPELLINGS, 'Millimetres', true],
  [BRITISH_SPELLINGS, 'millimeters', false],
] as const)('%p finds "%s": %p', (pattern, text, isFound) => {
  expect(pattern.test(text)).toBe(isFound)
})

type Sentence = { at: number; text: string }

/** Comments without their signs; lines of `//` that follow each other are one comment. */
function commentsIn({ text }: Source): Sentence[] {
  const comments: (Sentence & { end: number })[] = []
  for (const { at, kind, token } of tokensOf(text)) {
    if (kind !== 'comment') continue
    const words = token.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '')
    const last = comments.at(-1)
    const isNext =
      token.startsWith('//') && last !== undefined && /^\n\s*$/.test(text.slice(last.end, at))
    if (isNext) {
      last.text += ` ${words.trim()}`
      last.end = at + token.length
    } else comments.push({ at, text: words.trim(), end: at + token.length })
  }
  return comments.map(({ at, text }) => ({ at, text: text.replaceAll(/\s+/g, ' ') }))
}

/** Blanks out code of other languages, and keeps the lines. */
function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ')
}

/** Strings of more than one word. */
function messagesIn({ text }: Source): Sentence[] {
  return tokensOf(text)
    .filter(({ kind, token }) => kind === 'text' && token.includes(' '))
    .map(({ at, token }) => ({ at, text: token.slice(1, -1) }))
}

function placeOf({ path, text }: Source, at: number, words: string): string {
  return `${path}:${text.slice(0, at).split('\n').length} ${words.replaceAll(/\s+/g, ' ').slice(0, 70)}`
}
