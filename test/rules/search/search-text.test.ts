import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  buildPlainSearchText,
  buildSearchText,
  encodeTag,
  matchExpression,
  parseQuery,
  relevanceExpressions,
  taggedExpression,
  wholeWordExpression,
} from '#rules/search/search-text.ts'

const card = (name: string, number: string | null = null, abbreviation: string | null = null) => ({
  name,
  number,
  abbreviation,
})
const wordsOf = (...of: Parameters<typeof card>) => buildSearchText(card(...of)).split(' ')
/** Returns the words that a user could type: without tags, totals and the joined name. */
const typeable = (...of: Parameters<typeof card>) =>
  wordsOf(...of).filter((word) => word !== '' && !/\p{Co}/u.test(word))

const query = (q: string) => {
  const found = parseQuery(q)
  if (found === undefined) throw new Error(`nothing was typed in "${q}"`)
  return found
}
const quotedIn = (match: string) => [...match.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)

describe('a card is found by', () => {
  test.each([
    ['Charizard', ['charizard']],
    ['Pokémon Tower', ['pokemon', 'tower']],
    ["Lim-Dûl's Vault", ['lim', 'duls', 'limduls', 'dul', 'vault']],
    ['U.S.S. Enterprise', ['uss', 'u', 's', 'enterprise']],
    ['Mr. Mime', ['mr', 'mime']],
    ["Farfetch'd", ['farfetchd', 'farfetch', 'd']],
    ['Farfetch’d', ['farfetchd', 'farfetch', 'd']],
    ['Fire // Ice', ['fire', 'ice']],
    ['Lv.X', ['lv', 'x', 'lvx']],
    ['Pikachu & Zekrom', ['pikachu', 'zekrom', 'and']],
    ['Mew ☆ δ', ['mew', 'δ', 'star', 'delta']],
    ['"Ach! Hans, Run!"', ['ach', 'hans', 'run']],
    ['Ætherling™', ['aetherling']],
    ['テツノイワオex', ['テツノイワオ', 'ex', 'テツノイワオex']],
    ['บัตเตอร์ฟรี', ['บัตเตอร์ฟรี']],
    ['Agent 007', ['agent', '007', '7']],
    ['_____', []],
  ])('the words of its name: %s', (name, words) => {
    expect(typeable(name)).toEqual(words)
  })

  test.each([
    ['139/195', ['139']],
    ['004', ['004', '4']],
    ['OP13-089', ['op13', '089', '89', 'op13089']],
    ['OP13-089_p1', ['op13', '089', '89', 'p1', 'op13089p1']],
    ['TG12/TG30', ['tg12', 'tg', '12']],
    ['WTR058', ['wtr058', 'wtr58', 'wtr', '058', '58']],
    ['018a/147', ['018a', '18a', '018', '18']],
    ['*64', ['64']],
    ['001/SV-P', ['001', '1', 'sv', 'p', 'svp']],
  ])('its collector number: %s', (number, words) => {
    expect(typeable('', number)).toEqual(words)
  })

  test('the code of its set, whole and in parts', () => {
    expect(typeable('Mew', null, 'SWSH10:TG')).toEqual(['mew', 'swsh10', 'tg', 'swsh10tg'])
  })

  test('its name as written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const words = new Set(wordsOf(name))
        for (const { parts } of parseQuery(name)?.words ?? []) {
          for (const { raw, plain } of parts) {
            expect(words.has(raw)).toBe(true)
            expect(words.has(plain)).toBe(true)
          }
        }
      }),
    )
  })

  test('words without spaces and symbols, each once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        for (const words of [wordsOf(text, text, text), buildPlainSearchText(text).split(' ')]) {
          if (words.join('') === '') continue
          expect(new Set(words).size).toBe(words.length)
          for (const word of words) expect(word).toMatch(/^[\p{L}\p{M}\p{N}\ue000-\ue002]+$/u)
        }
      }),
    )
  })
})

describe('a query', () => {
  test.each(['', ' ', '-', "'", '"*^:()', '\u0000', '\ue000\ue001', '\u{f0000}', '\ud83d', '★'])(
    'is nothing without a letter or a digit: %j',
    (q) => {
      expect(parseQuery(q)).toBeUndefined()
    },
  )

  test.each([
    ['dark knight', '("dark" AND "knight" *)'],
    ['Pokémon', '"pokemon" *'],
    ['dark dark', '("dark" AND "dark" *)'],
    ['blue-eyes', '("blueeyes" * OR ("blue" AND "eyes" *))'],
    ['blue-eyes dragon', '(("blueeyes" OR ("blue" AND "eyes")) AND "dragon" *)'],
    ["lim-dul's vault", '(("limduls" OR ("lim" AND "duls")) AND "vault" *)'],
    ['004', '("004" * OR "4")'],
    ['a AND b* NOT "c', '("a" AND "and" AND "b" AND "not" AND "c" *)'],
    ['NEAR(dark, 2)', '("near" AND "dark" AND "2" *)'],
  ])('matches all words, the last as a prefix: %s', (q, match) => {
    expect(matchExpression(query(q))).toBe(match)
  })

  test('matches whole words only if it is finished', () => {
    expect(matchExpression({ ...query('dark knight'), isFinished: true })).toBe(
      '("dark" AND "knight")',
    )
    expect(wholeWordExpression(query('dark knight'))).toBe('("dark" AND "knight")')
  })

  test('contains only letters, marks and digits in its quotes, for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (q) => {
        const typed = parseQuery(q)
        if (typed === undefined) return
        for (const match of [matchExpression(typed), ...relevanceExpressions(typed)]) {
          for (const word of quotedIn(match)) {
            expect(word).toMatch(/^[\p{L}\p{M}\p{N}\ue000-\ue002]+$/u)
          }
          expect(match.replace(/"[^"]*"/g, '')).toMatch(/^(?: \*| AND | OR | NOT |[()])*$/)
        }
      }),
    )
  })

  test('matches the total of a set only beside another number', () => {
    const totals = (q: string) =>
      quotedIn(matchExpression(query(q))).filter((word) => /\p{Co}/u.test(word))
    expect(totals('195')).toEqual([])
    expect(totals('swsh12 195')).toEqual([])
    expect(totals('139/195')).toHaveLength(1)
    expect(totals('139 195')).toHaveLength(2)
  })

  test('has five tiers, four if it ends in a number, three if it is finished', () => {
    expect(relevanceExpressions(query('dark knight'))).toHaveLength(5)
    expect(relevanceExpressions(query('dark 4'))).toHaveLength(4)
    expect(relevanceExpressions({ ...query('dark'), isFinished: true })).toHaveLength(3)
  })
})

describe('tags', () => {
  test('filter the matches, one of each list, and exclude others', () => {
    const tags = { with: [['a'], ['b', 'c']], without: ['d'] }
    expect(taggedExpression('"x" *', tags)).toBe('(("x" * AND "a" AND ("b" OR "c")) NOT "d")')
    expect(taggedExpression(undefined, { with: [['a']], without: [] })).toBe('"a"')
    expect(taggedExpression('"x"', { with: [], without: [] })).toBe('"x"')
  })

  test('are distinct, and cannot be typed', () => {
    const tags = Array.from({ length: 200_000 }, (_, index) => encodeTag(index))
    expect(new Set(tags).size).toBe(tags.length)
    for (const index of [0, 1, 65_533, 65_534, 65_535, 199_999]) {
      const tag = encodeTag(index)
      expect(tag).toMatch(/^\p{Co}+$/u)
      expect(parseQuery(tag)).toBeUndefined()
      expect(matchExpression(query(`dark${tag}`))).toBe('"dark" *')
    }
  })
})
