import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  buildSearchText,
  canonicalNumber,
  encodeTag,
  listContextWords,
  listMarks,
  nameBeginning,
  nameLength,
  ODDITY,
  ownNumber,
  PROMO,
  queryNumber,
  titleOf,
  wholeName,
} from '#rules/search/search-document.ts'
import { splitIntoWords } from '#rules/search/typed-words.ts'
import { anyText } from '../../support/properties.ts'

const tokensOf = (name: string, number: string | null = null) =>
  buildSearchText({ name, number }).split(' ')
/** Returns the words that a user could type. */
const typeable = (name: string) =>
  tokensOf(name).filter((word) => word !== '' && !/\p{Co}/u.test(word))

describe('a card is found by', () => {
  test.each([
    ['Pokémon Tower', ['pokemon', 'tower']],
    ['Mr. Mime', ['mr', 'mime']],
    ['Fire // Ice', ['fire', 'ice']],
    ['Lv.X', ['lv', 'x']],
    ['Pikachu & Zekrom', ['pikachu', 'zekrom', 'and']],
    ['Mew ☆ δ', ['mew', 'δ', 'star', 'delta']],
    ['Nidoran♀', ['nidoran', 'f', 'female']],
    ['"Ach! Hans, Run!"', ['ach', 'hans', 'run']],
    ['Ætherling™', ['aetherling']],
    ['テツノイワオex', ['テツノイワオ', 'ex']],
    ['_____', []],
  ])('the words of its name: %s', (name, words) => {
    expect(typeable(name)).toEqual(words)
  })

  test.each([
    ['Dark Knight', 'dark knight'],
    ['Pikachu & Zekrom', 'pikachu and zekrom'],
    ['Pikachu and Zekrom', 'pikachu & zekrom'],
    ['Blue-Eyes', 'blue eyes'],
    ['Blue-Eyes', 'blueeyes'],
    ['Cindle ex - 199/165', 'cindle ex'],
  ])('its whole name: %s by %s', (name, typed) => {
    const words = splitIntoWords(typed)
    expect(tokensOf(name, '199/165')).toContain(wholeName(words))
    expect(tokensOf(name, '199/165').some((token) => token.startsWith(nameBeginning(words)))).toBe(
      false,
    )
  })

  test('the beginning of its name', () => {
    const [token = ''] = tokensOf('Dark Knight Errant')
    expect(token).toStartWith(nameBeginning(splitIntoWords('dark knight')))
    expect(token).not.toStartWith(nameBeginning(splitIntoWords('dark knigh')))
    expect(token).toStartWith(nameBeginning(splitIntoWords('dark knigh'), { isFinished: false }))
  })

  test.each(['Pikachu (Jungle)', 'Pikachu [Jungle]', 'Pikachu (Jungle) (Error)'])(
    'its title where the name has an addition, but not by that as a whole name: %s',
    (name) => {
      const tokens = tokensOf(name)
      expect(tokens).toContain(titleOf(splitIntoWords('pikachu')))
      expect(tokens).not.toContain(wholeName(splitIntoWords('pikachu')))
      expect(tokens).not.toContain(wholeName(splitIntoWords(name)))
    },
  )

  test('the number of parts of its whole name', () => {
    expect(tokensOf('Dark-Knight & Squire')).toContain(nameLength(3))
    expect(
      tokensOf('Dark Knight (Foil)').some((token) => token.startsWith(nameLength(0)[0] ?? '')),
    ).toBe(false)
  })

  test('words without spaces and symbols, each once', () => {
    fc.assert(
      fc.property(anyText(40), (text) => {
        const words = tokensOf(text, text)
        if (words.join('') === '') return
        expect(new Set(words).size).toBe(words.length)
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{M}\p{N}\ue000-\ue00f]+$/u)
      }),
    )
  })

  test('every part of its name as typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const words = new Set(tokensOf(name))
        for (const { parts } of splitIntoWords(name)) {
          for (const { raw, plain } of parts) {
            expect(words.has(raw)).toBe(true)
            expect(words.has(plain)).toBe(true)
          }
        }
      }),
    )
  })
})

describe('a collector number', () => {
  /** Returns how the number of a card matches a written one. */
  function fit(number: string, written: string): string | undefined {
    const [tokens, typed] = [new Set(tokensOf('Mew', number)), queryNumber(written)]
    if (typed === undefined) return undefined
    if (typed.exact.some((token) => tokens.has(token))) return 'exact'
    if (tokens.has(ownNumber(written))) return 'own'
    if (tokens.has(typed.part)) return 'part'
    if (tokens.has(typed.total)) return 'total'
    return [...tokens].some((token) => token.startsWith(typed.beginning)) ? 'beginning' : undefined
  }

  test.each([
    ['004/102', '4', 'exact'],
    ['4/102', '004', 'exact'],
    ['4/102', '4/102', 'exact'],
    ['004/102', '4/0102', 'exact'],
    ['4', '4/102', 'exact'],
    ['4/102', '4/130', 'own'],
    ['4/102', '102', 'total'],
    ['4/102', '40', undefined],
    ['40/102', '4', 'beginning'],
    ['40/102', '4/102', undefined],
    ['OP01-016', 'OP01-016', 'exact'],
    ['OP01-016', 'op01016', 'exact'],
    ['OP01-016', 'op1-016', 'exact'],
    ['OP01-016', '16', 'part'],
    ['OP01-016', '016', 'part'],
    ['OP01-016', 'op01', 'part'],
    ['OP01-016_p1', 'OP01-016', 'part'],
    ['TG05/TG30', 'TG05', 'exact'],
    ['TG05/TG30', 'tg5', 'exact'],
    ['TG05/TG30', 'tg05/tg30', 'exact'],
    ['TG05/TG30', 'tg', 'part'],
    ['WTR058', 'wtr58', 'exact'],
    ['WTR058', '58', 'part'],
    ['018a/147', '18a', 'exact'],
    ['018a/147', '18', 'part'],
    ['LOB-EN001', 'lob-001', 'part'],
    ['*64', '64', 'exact'],
    ['001/SV-P', '1', 'exact'],
    ['001/SV-P', '001/sv-p', 'exact'],
    ['64', '*64', 'exact'],
  ])('%s fits %s: %s', (number, written, fits) => {
    expect(fit(number, written)).toBe(fits)
  })

  test('is undefined without a letter or a digit', () => {
    for (const written of ['', '/', '--', '*']) expect(queryNumber(written)).toBeUndefined()
  })

  test('is canonical once and for all', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0oOpP12-/ *_a'), maxLength: 9 }),
        (number) => {
          const canonical = canonicalNumber(number)
          expect(canonicalNumber(canonical)).toBe(canonical)
          expect(canonicalNumber(number.toUpperCase())).toBe(canonical)
          expect(canonical).toMatch(/^[a-z0-9]*$/)
        },
      ),
    )
  })

  test('of a card is found exactly as it is written, for any number', () => {
    const number = fc.stringMatching(/^[A-Z]{0,3}-?\d{1,4}[a-z]?(\/[A-Z]{0,2}\d{1,3})?$/)
    fc.assert(
      fc.property(number, (written) => {
        expect([written, fit(written, written)]).toEqual([written, 'exact'])
        expect([written, fit(written, written.toLowerCase())]).toEqual([written, 'exact'])
      }),
    )
  })
})

describe('a context', () => {
  test.each([
    ['SWSH10:TG', ['swsh10', 'tg', 'swsh10tg']],
    ['SuperRare', ['super', 'rare']],
    ['super_rare', ['super', 'rare', 'superrare']],
    ['SV03', ['sv03', 'sv3']],
    ['ROMANCE DAWN [OP-01]', ['romance', 'dawn', 'op', 'op01']],
    ['1st Edition Holofoil', ['1st', 'edition', 'holofoil']],
    ["Champion's Path", ['champions', 'champion', 'path']],
  ])('has the words of its name and its code: %s', (name, words) => {
    expect([...listContextWords(name)]).toEqual(expect.arrayContaining(words))
  })

  test('of a code has no word of digits alone', () => {
    for (const code of ['OP-01', 'SV-P 151', 'EB-02']) {
      const digits = [...listContextWords(code)].filter((word) => /^\d+$/.test(word))
      expect([code, digits]).toEqual([code, code.endsWith('151') ? ['151'] : []])
    }
  })

  test.each([
    ['Promo', [PROMO]],
    ['SWSH: Sword & Shield Promo Cards', [PROMO]],
    ['Black Star Promos', [PROMO]],
    ['Jumbo Cards', [ODDITY]],
    ['Code Card', [ODDITY]],
    ['Oversize Cards', [ODDITY]],
    ['Jumbo Promos', [PROMO, ODDITY]],
    ['Common', []],
    ['Promontory', []],
  ])('of promos, jumbo and code cards is marked: %s', (name, marks) => {
    expect(listMarks(name)).toEqual(marks)
  })
})

test('a jumbo or code card is marked by its name, other cards are not', () => {
  for (const name of ['Mew (Jumbo)', 'Code Card - Elite Trainer Box', 'Oversized Mew'])
    expect([name, tokensOf(name).includes(ODDITY)]).toEqual([name, true])
  for (const name of ['Mew', 'Jumbotron', 'Card of Codes'])
    expect([name, tokensOf(name).includes(ODDITY)]).toEqual([name, false])
})

test('tags are distinct, and cannot be typed', () => {
  const tags = Array.from({ length: 200_000 }, (_, index) => encodeTag(index))
  expect(new Set(tags).size).toBe(tags.length)
  for (const index of [0, 1, 65_533, 65_534, 65_535, 199_999]) {
    const tag = encodeTag(index)
    expect(tag).toMatch(/^\p{Co}+$/u)
    expect(splitIntoWords(tag)).toEqual([])
    expect(splitIntoWords(`dark${tag}`).map(({ text }) => text)).toEqual(['dark'])
  }
})
