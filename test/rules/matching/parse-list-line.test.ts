import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseListLine } from '#rules/matching/parse-list-line.ts'
import { measureCpuMs } from '../../support/event-loop-turns.ts'

/** The last reading: the name without quantity, marks and suffixes. */
function partsOf(line: string) {
  const { quantity, printing, section, listReadings } = parseListLine(line)
  const readings = listReadings()
  const { name = '', suffixes = [] } = readings.at(-1) ?? {}
  return {
    quantity,
    name,
    suffixes: [...suffixes],
    printing,
    section: section as string | undefined,
  }
}

describe('a line of a list', () => {
  test.each([
    ['4 Absol ROS 40', 4, 'Absol ROS', ['40']],
    ['Absol ROS 40/108', 1, 'Absol ROS', ['40/108']],
    ['1 Sol Ring (CMR) 472 *F*', 1, 'Sol Ring', ['472', 'CMR'], 'Foil'],
    ['2x Lightning Bolt [M10]', 2, 'Lightning Bolt', ['M10']],
    ['2 × Lightning Bolt', 2, 'Lightning Bolt', []],
    ['SB: 2 Lightning Bolt', 2, 'Lightning Bolt', [], undefined, 'sideboard'],
    ['Commander: Atraxa', 1, 'Atraxa', [], undefined, 'commander'],
    ['1 Bolt <retro> [MH2] (F)', 1, 'Bolt', ['MH2', 'retro'], 'Foil'],
    ['1 Fire // Ice (MH2) 290 *E*', 1, 'Fire // Ice', ['290', 'MH2'], 'Etched Foil'],
    ['* 4 Pikachu SVI 62 PH', 4, 'Pikachu SVI', ['62'], 'Reverse Holofoil'],
    ['4xOP01-016', 4, 'OP01-016', []],
    ['1 OP01-016 Nami', 1, 'Nami', ['OP01-016']],
    ['(3) Snatch (red)', 3, 'Snatch', ['red']],
    ['[3] Snatch', 3, 'Snatch', []],
    ['Absol x4', 4, 'Absol', []],
    [
      '1x Sol Ring (cmr) 472 *F* [Ramp] ^Have,#37d67a^',
      1,
      'Sol Ring',
      ['Ramp', '472', 'cmr'],
      'Foil',
    ],
    ['1 [CMR#472] Sol Ring # !Commander', 1, 'Sol Ring', ['CMR#472']],
    ['1x Sol Ring (CMR:472) *f-etch* *CMDR*', 1, 'Sol Ring', ['CMR:472'], 'Etched Foil'],
    ['1 Sol Ring|CMR|[472]', 1, 'Sol Ring', ['472', 'CMR']],
    ['1 Sol Ring (CMR) 472 #ramp #!Commander', 1, 'Sol Ring', ['472', 'CMR']],
    ['5 Basic {R} Energy SVE 2', 5, 'Basic Fire Energy SVE', ['2']],
    ['2 Xatu', 2, 'Xatu', []],
    ['2 ×Absol', 2, 'Absol', []],
    ['2xAbsol', 2, 'Absol', []],
    ['1 Xenagos, God of Revels (BNG) 156', 1, 'Xenagos, God of Revels', ['156', 'BNG']],
    [
      '1x Sol Ring (c21) 263 [Commander{top}]',
      1,
      'Sol Ring',
      ['263', 'c21'],
      undefined,
      'commander',
    ],
    [
      '1x Bolt (m11) 149 [Burn,Maybeboard{noDeck}{noPrice}] ^Have,#37d67a^',
      1,
      'Bolt',
      ['149', 'm11'],
      undefined,
      'maybeboard',
    ],
    ['1x Bolt (m11) 149 [Burn{noPrice}]', 1, 'Bolt', ['149', 'm11']],
    ['4\tAbsol\tROS\t40', 4, 'Absol ROS', ['40']],
  ] as [string, number, string, string[], string?, string?][])(
    '%p is read in its parts',
    (line, ...[quantity, name, suffixes, printing, section]) => {
      expect(partsOf(line)).toEqual({ quantity, name, suffixes, printing, section })
    },
  )

  test.each([
    '1996 World Champion',
    '+2 Mace',
    'Borrowing 100,000 Arrows',
    'Hakim [Something]',
    'B.F.M. (Big Furry Monster)',
    'Pikachu (XY95)',
    '_____',
    '#1 Fan',
  ])('%p may be a name as a whole, with or without a quantity before it', (name) => {
    expect(parseListLine(name).wholes).toContainEqual({ name, quantity: 1 })
    expect(parseListLine(`3x ${name}`).wholes).toContainEqual({ name, quantity: 3 })
  })

  test.each([
    ['2 X Speed', ['2 X Speed', 'X Speed', 'Speed']],
    ['2 x Speed', ['2 x Speed', 'Speed', 'x Speed']],
    ['2x Speed', ['2x Speed', 'Speed']],
  ])('%p with an x that stands alone may be these names', (line, names) => {
    expect(parseListLine(line).wholes.map(({ name }) => name)).toEqual(names)
    expect(
      new Set(
        parseListLine(line)
          .listReadings()
          .map(({ name }) => name),
      ),
    ).toEqual(new Set(names.slice(1)))
  })

  test('has a reading and a whole quantity, whatever it is', () => {
    const part = fc.oneof(
      fc.constantFrom('4 ', 'x', '(', ')', '[', ']', '|', '#', '^', '*F*', 'SB:', '{R}', '40/108'),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const { quantity, listReadings, wholes } = parseListLine(parts.join(''))
        const readings = listReadings()
        expect(Number.isSafeInteger(quantity)).toBe(true)
        expect(readings.length).toBeGreaterThan(0)
        expect(wholes.length).toBeGreaterThan(0)
      }),
    )
  })

  test.each([
    'a(',
    '(a)',
    ' 1',
    ' #',
    '^',
    '*F',
    '|',
    ' x1',
    '\t',
    '{R} ',
    '(a) ',
    '[a{b}]',
    '(C21) 263 x',
  ])('of ten thousand characters of %p is read in a moment', (part) => {
    const ms = measureCpuMs(() => {
      parseListLine(part.repeat(10_000 / part.length)).listReadings()
      parseListLine(part.repeat(1_000 / part.length)).listReadings()
    })
    expect(ms).toBeLessThan(50)
  })
})
