import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseListName } from '#rules/matching/parse-list-line.ts'
import { measureCpuMs } from '../../support/event-loop-turns.ts'

describe('a written name', () => {
  test.each([
    ['Cindle', [['Cindle']]],
    ['  Cindle  ', [['Cindle']]],
    ['', [['']]],
    ['Fire // Ice', [['Fire // Ice']]],
    ["Lim-Dûl's Vault", [["Lim-Dûl's Vault"]]],
    ['Charizard (Prerelease)', [['Charizard (Prerelease)'], ['Charizard', 'Prerelease']]],
    ['Lightning Bolt [M10]', [['Lightning Bolt [M10]'], ['Lightning Bolt', 'M10']]],
    ['Lightning Bolt {M10}', [['Lightning Bolt {M10}'], ['Lightning Bolt', 'M10']]],
    ['Lightning Bolt[M10]', [['Lightning Bolt[M10]'], ['Lightning Bolt', 'M10']]],
    [
      'Fire // Ice (128) [APC]',
      [['Fire // Ice (128) [APC]'], ['Fire // Ice (128)', 'APC'], ['Fire // Ice', 'APC', '128']],
    ],
    ['Charizard 4/102', [['Charizard 4/102'], ['Charizard', '4/102']]],
    ['Charizard - 4/102', [['Charizard - 4/102'], ['Charizard', '4/102']]],
    ['Charizard – 4/102', [['Charizard – 4/102'], ['Charizard', '4/102']]],
    ['Pikachu - SM197', [['Pikachu - SM197'], ['Pikachu', 'SM197']]],
    ['Island #234', [['Island #234'], ['Island', '234']]],
    ['Island 234', [['Island 234'], ['Island', '234']]],
    ['Island 234a', [['Island 234a'], ['Island', '234a']]],
    ['Island 234★', [['Island 234★'], ['Island', '234★']]],
    ['Roronoa Zoro OP01-001', [['Roronoa Zoro OP01-001'], ['Roronoa Zoro', 'OP01-001']]],
    ['Braixen TG01/TG30', [['Braixen TG01/TG30'], ['Braixen', 'TG01/TG30']]],
    ['リザードン (限定)', [['リザードン (限定)'], ['リザードン', '限定']]],
  ] as [string, [string, ...string[]][]][])('%p may mean %j', (written, wanted) => {
    const readings = wanted.map(([name, ...marks]) => ({ name, suffixes: marks }))
    expect(parseListName(written)).toEqual(readings)
  })

  test.each(['(Prerelease)', '4/102', '[M10]', 'Cindle ()', 'Cindle ( )', '+2 Mace', '1996 World'])(
    '%p has no suffix: no name precedes it, or the brackets are empty',
    (written) => expect(parseListName(written)).toEqual([{ name: written, suffixes: [] }]),
  )

  test('has at most four suffixes', () => {
    const readings = parseListName('Cindle (a) (b) (c) (d) (e)')
    expect(readings).toHaveLength(5)
    expect(readings.at(-1)).toEqual({ name: 'Cindle (a)', suffixes: ['e', 'd', 'c', 'b'] })
  })

  test('is read as written first, then with one suffix less each time', () => {
    const part = fc.oneof(
      fc.constantFrom(' ', '(', ')', '[', ']', ' - ', '#', '/', '1', '22', 'OP01-', '★', 'é', '🔥'),
      fc.string({ maxLength: 4 }),
    )
    const written = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(written, (text) => {
        const readings = parseListName(text)
        expect(readings[0]).toEqual({ name: text.trim(), suffixes: [] })
        for (const [at, { name, suffixes }] of readings.entries()) {
          expect(suffixes).toHaveLength(at)
          expect(suffixes.every((mark) => mark !== '' && mark === mark.trim())).toBe(true)
          expect(text.trim().startsWith(name)).toBe(true)
          expect(at === 0 || name.length < (readings[at - 1]?.name.length ?? 0)).toBe(true)
        }
      }),
    )
  })

  test.each([
    ['a'.repeat(10_000)],
    ['a('.repeat(5_000)],
    ['(a)'.repeat(3_000)],
    [' 1'.repeat(5_000)],
    [`a ${'1'.repeat(9_990)}!`],
    [`x${' '.repeat(9_998)}y`],
    [`x (${' '.repeat(9_990)}`],
    ['- '.repeat(5_000)],
  ])('of ten thousand characters is parsed quickly', (written) => {
    let names: readonly unknown[] = []
    const ms = measureCpuMs(() => {
      names = parseListName(written)
    })
    expect(names.length).toBeLessThanOrEqual(5)
    // A quadratic algorithm would take seconds here.
    expect(ms).toBeLessThan(500)
  })
})
