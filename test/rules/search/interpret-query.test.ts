import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  buildUnits,
  keepMatching,
  listTexts,
  matchUnits,
  splitQuery,
} from '#rules/search/interpret-query.ts'
import { anyText } from '../../support/properties.ts'
import { createSearchCatalog, openTestLexicon } from '../../support/search-catalog.ts'

const lexicon = openTestLexicon(
  createSearchCatalog(
    [
      { id: 1, game_id: 1, name: 'SWSH07: Evolving Skies', abbreviation: 'SWSH07' },
      { id: 2, game_id: 1, name: 'Jungle', abbreviation: 'JU' },
      { id: 3, game_id: 1, name: 'Romance Dawn', abbreviation: 'OP01' },
    ],
    [
      { id: 1, set_id: 1, name: 'Umbreon VMAX', number: '215/203', rarity: 'Secret Rare' },
      { id: 2, set_id: 2, name: 'Mewtwo', number: '1/64', prices: { Holofoil: 1 } },
      { id: 3, set_id: 2, name: 'Charizard GX', number: '4' },
      { id: 4, set_id: 3, name: 'Nami', number: 'OP01-016' },
      { id: 5, set_id: 3, name: 'Price of Progress' },
    ],
    { 1: 'Pokemon' },
  ),
)
const interpret = (q: string) => {
  const { words, ignored } = splitQuery(q, lexicon)
  const kept = keepMatching(buildUnits(words, lexicon), lexicon)
  return { units: kept.units.map(listTexts), ignored: [...ignored, ...kept.ignored] }
}

describe('a query', () => {
  test.each([
    ['umbreon evolving skies', [['umbreon'], ['evolving', 'skies']]],
    ['evolving skies umbreon', [['evolving', 'skies'], ['umbreon']]],
    ['mewtwo reverse holo', [['mewtwo'], ['reverse', 'holo']]],
    ['mew two jungle', [['mew', 'two'], ['jungle']]],
    ['op01 016', [['op01', '016']]],
    ['215/203 umbreon', [['215/203'], ['umbreon']]],
  ])('consists of words and phrases: %s', (q, units) => {
    const { words } = splitQuery(q, lexicon)
    expect(buildUnits(words, lexicon).map(listTexts)).toEqual(units)
  })

  test('has each word once', () => {
    expect(splitQuery('dark Dark dàrk knight', lexicon).words.map(({ text }) => text)).toEqual([
      'dark',
      'knight',
    ])
  })

  test('ignores fillers, unless they are all, or a name begins with them', () => {
    expect(interpret('umbreon card price')).toEqual({
      units: [['umbreon']],
      ignored: ['card', 'price'],
    })
    expect(splitQuery('card price', lexicon).ignored).toEqual([])
    expect(interpret('price of progress').ignored).toEqual([])
    expect(interpret('price of prog').ignored).toEqual([])
    expect(interpret('progress price').ignored).toEqual(['price'])
  })

  test('ignores words after the tenth', () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${String.fromCharCode(97 + at)}`)
    const split = splitQuery(words.join(' '), lexicon)
    expect(split.words.map(({ text }) => text)).toEqual(words.slice(0, 10))
    expect(split.ignored).toEqual(words.slice(10))
  })

  test.each([
    // The name stays in front, then the set, then descriptive words.
    ['charizard gx evolving skies', [['charizard'], ['gx']], ['evolving', 'skies']],
    ['evolving skies nami', [['nami']], ['evolving', 'skies']],
    ['evolving skies romance', [['evolving', 'skies']], ['romance']],
    ['nami holofoil', [['nami']], ['holofoil']],
    ['mewtwo 215', [['mewtwo']], ['215']],
  ])('omits words that match no card together with the others: %s', (q, units, ignored) => {
    const interpreted = interpret(q)
    expect(interpreted.ignored.toSorted()).toEqual(ignored.toSorted())
    expect(interpreted.units.flat().toSorted()).toEqual(units.flat().toSorted())
  })

  test('keeps everything that some card has, loses no word, and matches a card', () => {
    const typed = fc.constantFrom(
      'umbreon',
      'vmax',
      'evolving',
      'skies',
      'mew',
      'two',
      'jungle',
      'holo',
      'nami',
      'op01',
      '016',
      '4',
      '215/203',
      'price',
      'pokemon',
      'secret',
      'rare',
      'mewtwo',
      'charizardgx',
    )
    fc.assert(
      fc.property(fc.uniqueArray(typed, { minLength: 1, maxLength: 6 }), (words) => {
        const split = splitQuery(words.join(' '), lexicon)
        const units = buildUnits(split.words, lexicon)
        expect(units.flatMap(listTexts)).toEqual(split.words.map(({ text }) => text))
        const kept = keepMatching(units, lexicon)
        const all = [...kept.units.flatMap(listTexts), ...kept.ignored, ...split.ignored]
        expect(all.toSorted()).toEqual(words.toSorted())
        if (lexicon.exists(matchUnits(units))) expect(kept.ignored).toEqual([])
        if (kept.units.length > 0) expect(lexicon.exists(matchUnits(kept.units))).toBe(true)
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  test('has no syntax: only quoted words, for any text', () => {
    fc.assert(
      fc.property(anyText(60), (q) => {
        const { words } = splitQuery(q, lexicon)
        for (const { match, finished, numbers } of buildUnits(words, lexicon)) {
          for (const one of [match, finished, ...numbers]) {
            for (const [, word] of one.source.matchAll(/"([^"]*)"/g)) {
              expect(word).toMatch(/^[\p{L}\p{M}\p{N}\p{Co}]+$/u)
            }
            expect(one.source.replace(/"[^"]*"/g, '')).toMatch(/^(?: \*| AND | OR | NOT |[()])*$/)
            expect(() => lexicon.exists(one)).not.toThrow()
          }
        }
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})
