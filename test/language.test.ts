/** The language of the code: names, comments, messages and documents contain no misleading words. */
import { describe, expect, test } from 'bun:test'
import { declaredNames } from './support/declared-names.ts'
import { readSources, type Source, tokensOf } from './support/source-text.ts'

/** Words that no name may contain: variables, parameters, functions, types and members. */
const BANNED_NAMES = new Set(
  `ask asks asked asker askers admit admits bones deed deeds desk door doors examine examines eye
  guest house inhabitant inhabitants likeness mend mended mends purse said says shelf shelves sight sights
  tell telling tells told victim victims wish wishes`.split(/\s+/),
)

/** Names with a banned word, each with the reason why it stays. */
const NAME_EXCEPTIONS: readonly { names: RegExp; paths: RegExp; reason: string }[] = [
  {
    names: /^(?:isWish|wishFacts)$/,
    paths: /^src\/web\/collections\//,
    reason: 'A wish list is a term of the product.',
  },
  {
    names: /^(?:ask|askHidden|isAsking)$/,
    paths: /^scripts\/cli\//,
    reason: 'A prompt asks a person.',
  },
  {
    names: /^asked$/,
    paths: /^src\/store\/ledger\//,
    reason: 'It is a column of stored databases.',
  },
  {
    names: /^told_foil_only$/,
    paths: /^src\/store\/catalog\//,
    reason: 'It is a column of stored databases.',
  },
]

/** Phrases that no comment, message or document may contain. */
const BANNED_PHRASES =
  /\b(?:(?<!there )is no (?!longer\b)|is none\b|are none\b|of ours\b|anew\b|meanwhile\b|whoever\b|as ever\b|by and by\b|mend(?:s|ed|ing)?\b|dearest\b|fares?\b|told\b)/i

/** First words with which no comment may begin. */
const BANNED_OPENERS = /^(?:What|Whether|Who|Whoever|Where|The same|Those|Of|One)\b/

/**
 * British spellings: names, comments and documents use the American ones. Two are options of a library, and
 * greylisting is the term of RFC 6647.
 */
const BRITISH_SPELLINGS =
  /(?:(?<!to)colour|neighbour|behaviour|favour|flavour|grey(?!list)|recognis|normalis|quantis|capitalis|optimis(?!eCoding)|licence|metres?\b|(?<!aria-)labelled)/i

/** Files to which a rule does not apply. */
const EXCEPTIONS: [path: RegExp, reason: string][] = [
  [/^docs\/reference\/spec\.md$/, 'The specification is quoted as it was given.'],
  [/^test\/(language|architecture)\.test\.ts$/, 'These tests name the words.'],
]

const isExcepted = ({ path }: Source) => EXCEPTIONS.some(([pattern]) => pattern.test(path))
const all = (sources: readonly Source[]) => sources.filter((source) => !isExcepted(source))
const code = all(await readSources('{src,scripts,bench,test}/**/*.{ts,tsx}'))
const python = all(await readSources('{scripts,bench}/**/*.py'))
const documents = all(
  (await Promise.all(['*.md', '{docs,data,bench,scripts}/**/*.md'].map(readSources))).flat(),
).map(({ path, text }) => ({ path, text: text.replaceAll(/^```[\s\S]*?^```/gm, blank) }))

describe('the code', () => {
  const banned = code
    .filter(({ path }) => !path.endsWith('client/endpoints.ts'))
    .flatMap((source) =>
      declaredNames(source)
        .filter(({ name }) => hasBannedWord(name))
        .map(({ at, name }) => ({ path: source.path, name, place: placeOf(source, at, name) })),
    )

  test('has no name with a banned word', () => {
    const found = banned.filter(
      ({ path, name }) =>
        !NAME_EXCEPTIONS.some(({ names, paths }) => names.test(name) && paths.test(path)),
    )
    expect(found.map(({ place }) => place)).toEqual([])
  })

  test.each(NAME_EXCEPTIONS)(
    'has names that are excepted: $names in $paths',
    ({ names, paths }) => {
      expect(banned.some(({ path, name }) => names.test(name) && paths.test(path))).toBe(true)
    },
  )

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

test('banned words are found in every kind of declared name', () => {
  const text = `
    import * as desk from 'x'
    type Told<Tell> = { shelf: Tell; mends(door: number): void; list: [asked: number] }
    interface Victim { said: string }
    class Guest { #purse = 1; get sight() { return 1 } }
    function askAll({ a: wish, b: [house] }, ...doors) {
      const { deed } = doors, told = 1
      for (const inhabitant of doors) return { deeds: told, told, says() {} }
    }
    const box = <p title="told">{doors.map((eye) => eye)}</p>
    // const told = 'told'
    other.told = asks.admit
  `
  const found = declaredNames({ path: 'a.tsx', text }).map(({ name }) => name)
  expect(found.filter(hasBannedWord)).toEqual(
    `desk Told Tell shelf mends door asked Victim said Guest #purse sight askAll wish house doors deed
    told inhabitant deeds told says eye`.split(/\s+/),
  )
  expect(found.filter((name) => !hasBannedWord(name))).toEqual(['list', 'box'])
})

type Sentence = { at: number; text: string }

/** Returns true if a part of a name in camel case or snake case is a banned word. */
function hasBannedWord(name: string): boolean {
  return name
    .split(/(?<=[a-z\d])(?=[A-Z])|[_#]/)
    .some((word) => BANNED_NAMES.has(word.toLowerCase()))
}

/** Returns comments without their delimiters; consecutive `//` lines are one comment. */
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

/** Blanks out code in other languages, and keeps the line numbers. */
function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ')
}

/** Returns strings of more than one word. */
function messagesIn({ text }: Source): Sentence[] {
  return tokensOf(text)
    .filter(({ kind, token }) => kind === 'text' && token.includes(' '))
    .map(({ at, token }) => ({ at, text: token.slice(1, -1) }))
}

function placeOf({ path, text }: Source, at: number, words: string): string {
  return `${path}:${text.slice(0, at).split('\n').length} ${words.replaceAll(/\s+/g, ' ').slice(0, 70)}`
}
