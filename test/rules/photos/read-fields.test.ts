import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type PhotoKind, UNREAD } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import type { PrintedLine, Script } from '#rules/photos/text-line.ts'
import {
  GOOD_QUALITY,
  printedLine,
  recognizedLine,
  recognizedText,
} from '../../support/photos/candidate-fixtures.ts'

/** Creates a confident line on a card of 9 pixels per millimeter. */
function lineOf(text: string, top: number, facts: Partial<PrintedLine> = {}): PrintedLine {
  const box = { left: 0.1, top, right: 0.5, bottom: top + 0.025 }
  const read = { confidence: 0.995, legibility: 0.97, kind: 'other', heightPx: 16 } as const
  const ctc = recognizedLine(text, facts.confidence ?? read.confidence)
  return printedLine(text, { ...read, box, ctc, ...facts })
}

const number = (text: string, facts: Partial<PrintedLine> = {}) =>
  lineOf(text, 0.94, { kind: 'number', ...facts })
const small = (text: string, facts: Partial<PrintedLine> = {}) => lineOf(text, 0.94, facts)
const title = (text: string, facts: Partial<PrintedLine> = {}) =>
  lineOf(text, 0.04, { kind: 'name', heightPx: 36, ...facts })
const rules = (text: string, facts: Partial<PrintedLine> = {}) => lineOf(text, 0.6, facts)
const label = (text: string, facts: Partial<PrintedLine> = {}) =>
  lineOf(text, -0.15, { heightPx: 24, ...facts })
const inScript = (script: Script, count: number) =>
  Array.from({ length: count }, () => rules('', { script, confidence: 0 }))

const NO_SHAPES = new Set<string>()
const read = (
  lines: PrintedLine[],
  kind: PhotoKind | undefined = 'raw',
  quality = GOOD_QUALITY,
  shapes: ReadonlySet<string> = NO_SHAPES,
) => readFields(lines, { kind, quality, finish: undefined }, { shapes })

describe('the number, with its set and language', () => {
  test.each([
    // Pokémon
    ['4/102', '4/102', '', ''],
    ['004/102', '004/102', '', ''],
    ['45/102 ★', '45/102', '', ''],
    ['TG12/TG30', 'TG12/TG30', '', ''],
    ['SV94/SV94', 'SV94/SV94', '', ''],
    ['S2/S4', 'S2/S4', '', ''],
    ['SH10', 'SH10', '', ''],
    ['RT6', 'RT6', '', ''],
    ['A/28', 'A/28', '', ''],
    ['?/28', '?/28', '', ''],
    ['2/17', '2/17', '', ''],
    ['SWSH123', 'SWSH123', '', ''],
    ['XY150a', 'XY150a', '', ''],
    ['SM01', 'SM01', '', ''],
    ['067/SV-P', '067/SV-P', '', ''],
    ['245/091', '245/091', '', ''],
    ['125a/156', '125a/156', '', ''],
    ['005/012', '005/012', '', ''],
    ['101/078 SAR', '101/078', '', ''],
    ['SVI EN 012/198', '012/198', 'SVI', 'English'],
    ['MEW DE 006/165', '006/165', 'MEW', 'German'],
    ['SVP EN 044', '044', 'SVP', 'English'],
    ['SVP 044', '044', 'SVP', ''],
    ['CRZ EN GG25/GG70', 'GG25/GG70', 'CRZ', 'English'],
    ['SV4a 012/190', '012/190', '', ''],
    ['Illus. Kei Tanaka 45/102 ★', '45/102', '', ''],
    ['Illus. KEI 45/102', '45/102', '', ''],
    ['© 1995, 96, 98 Nintendo ©1999 Wizards. 4/102 ★', '4/102', '', ''],
    // Magic
    ['123/286 R', '123/286', '', ''],
    ['R 0123', '0123', '', ''],
    ['C_0199', '0199', '', ''],
    ['0123', '0123', '', ''],
    ['MKM • EN 123/286 R', '123/286', 'MKM', 'English'],
    ['123/286 R MKM • EN Anna Berg', '123/286', 'MKM', 'English'],
    ['MKM 123/286', '123/286', 'MKM', ''],
    ['2XM ★ JP 012/332', '012/332', '2XM', 'Japanese'],
    // Digimon, Dragon Ball, Gundam, hololive, One Piece
    ['OP01-001', 'OP01-001', 'OP01', ''],
    ['OP01-001 SR', 'OP01-001', 'OP01', ''],
    ['P-070', 'P-070', '', ''],
    ['BT1-084', 'BT1-084', 'BT1', ''],
    ['FB01-139', 'FB01-139', 'FB01', ''],
    ['GD01-001', 'GD01-001', 'GD01', ''],
    ['hBP01-001', 'hBP01-001', 'hBP01', ''],
    // Yu-Gi-Oh
    ['LOB-001', 'LOB-001', 'LOB', ''],
    ['LOB-EN001', 'LOB-EN001', 'LOB', 'English'],
    ['LOB-E001', 'LOB-E001', 'LOB', 'English'],
    ['RA01-DE010', 'RA01-DE010', 'RA01', 'German'],
    ['YS15-ENF01', 'YS15-ENF01', 'YS15', 'English'],
    ['RATE-ENSE1', 'RATE-ENSE1', 'RATE', 'English'],
    ['SDK-SP001', 'SDK-SP001', 'SDK', 'Spanish'],
    // Lorcana
    ['115/204 • EN • 3', '115/204', '', 'English'],
    ['12/P1 • EN • 1', '12/P1', '', 'English'],
    ['1/D23', '1/D23', '', ''],
    // Flesh and Blood
    ['MON195', 'MON195', 'MON', ''],
    ['U-WTR001', 'U-WTR001', 'WTR', ''],
    ['1HP222', '1HP222', '1HP', ''],
    // Others
    ['SOR EN 005/252', '005/252', 'SOR', 'English'],
    ['OGN-001/298', '001/298', 'OGN', ''],
    ['SAO/S20-E001 RR', 'SAO/S20-E001', '', ''],
    ['D-BT01/001EN', 'D-BT01/001EN', '', ''],
    ['UE01BT/AOT-1-001', 'UE01BT/AOT-1-001', '', ''],
    ['1-001H', '1-001H', '', ''],
  ])('in %p are %p, %p and %p', (text, expected, set, language) => {
    const print = read([number(text)])
    expect([print.number, print.set, print.language]).toEqual([expected, set, language])
    expect(print.readable).toEqual({ name: false, number: true, set: set !== '' })
  })

  test.each([
    '3/3',
    '10/10',
    '5/12',
    '0/102',
    '000/102',
    'HP 120',
    '120 HP',
    'HP120',
    '120',
    '5000',
    '+1000',
    'ATK/2500 DEF/2100',
    'ATK300',
    'LV.45',
    'LV30',
    '1999',
    'M 2015',
    '© 1999 Wizards 96/98',
    '© 1995/96/98 Nintendo',
    '$4.99',
    'No. 0156',
    'No. 006',
    '12/24/2019',
    '89631139',
    'M15',
    'SM8b',
    'XY11',
    'SV8',
    'OP01',
    'PSA10',
    'Weakness x2',
    '4/102 5/102',
    'Porygon-Z',
    'TOP 8',
    '2/12',
    '16/16',
    'SH0',
  ])('are not in %p', (text) => {
    expect(read([number(text)])).toEqual(UNREAD)
    expect(read([small(text)])).toEqual(UNREAD)
  })

  test('of small sets are read from collector lines only, as others may be power and toughness', () => {
    expect(read([number('15/17')]).number).toBe('15/17')
    expect(read([small('15/17')])).toEqual(UNREAD)
  })

  test('also match number shapes of the catalog', () => {
    const listed = new Set(['AAA00/A00-000', 'AA000'])
    const numberIn = (text: string) => read([small(text)], 'raw', GOOD_QUALITY, listed).number
    expect(numberIn('SOI42/R07-894 • EN • 3')).toBe('SOI42/R07-894')
    expect(numberIn('UE123')).toBe('UE123')
    for (const text of ['SOI42/R07-8944', 'HP120', 'LV100', 'soi42/r07-894'])
      expect(numberIn(text)).toBe('')
    expect(read([small('SOI42/R07-894')]).number).toBe('')
  })

  test('are not read at low confidence, at low legibility or in tiny print', () => {
    expect(read([number('4/102', { confidence: 0.85 })])).toEqual(UNREAD)
    expect(read([number('4/102', { legibility: 0.4 })])).toEqual(UNREAD)
    expect(read([number('4/102', { heightPx: 10 })])).toEqual(UNREAD)
    expect(read([number('4/102', { script: 'japanese' })])).toEqual(UNREAD)
  })

  test('are read at any height and place, if little stands beside them', () => {
    expect(read([small('PD1-009', { heightPx: 42, kind: 'name' })]).number).toBe('PD1-009')
    expect(read([rules('018/024', { heightPx: 40 })]).number).toBe('018/024')
    expect(read([rules('PD1-009 ◆ U')]).number).toBe('PD1-009')
    expect(read([rules('Search for 018/024 and PD1-009')]).number).toBe('')
  })

  test('are not read from backs and boxes', () => {
    for (const kind of ['back', 'sealed'] as const) {
      expect(read([number('4/102'), title('Cindlemane')], kind)).toEqual(UNREAD)
    }
    const context = { kind: undefined, quality: undefined, finish: undefined }
    expect(readFields([number('4/102')], context, { shapes: NO_SHAPES })).toEqual(UNREAD)
  })

  test('prefer collector lines at an edge', () => {
    expect(read([number('4/102'), small('12/250')]).number).toBe('4/102')
    expect(read([number('4/102', { box: rules('').box }), number('5/102')]).number).toBe('5/102')
    expect(read([number('0123'), number('45/286')]).number).toBe('45/286')
    expect(read([small('4/102')]).number).toBe('4/102')
  })

  test('are empty if two equally good ones differ, or only rules contain one', () => {
    expect(read([number('4/102'), number('5/102')]).number).toBe('')
    expect(read([number('4/102'), number('004/102')]).number).toBe('4/102')
    expect(read([rules('Search for 12/250')]).number).toBe('')
    expect(read([title('Cindlemane 4/102')]).number).toBe('')
  })

  test('may have the set on the line below', () => {
    const print = read([number('R 0123'), small('MKM • EN Anna Berg')])
    expect(print).toMatchObject({ number: '0123', set: 'MKM', language: 'English' })
    expect(read([number('R 0123'), small('JUAN DE LA CRUZ')])).toMatchObject({
      set: '',
      language: '',
    })
    expect(read([small('MKM • EN'), small('WOE • EN')]).set).toBe('')
    expect(read([rules('MKM • EN'), rules('Search for OP01-001')])).toEqual(UNREAD)
    expect(read([number('4/102'), small('OP01-001')]).set).toBe('')
  })
})

describe('a number in a line that is hard to read', () => {
  /** Creates a line of certain letters, except for those of one part. */
  const partlySure = (before: string, unsure: string, after: string) => {
    const text = before + unsure + after
    const { alphabet, logProbabilities: logs } = recognizedText(text, 0.9999)
    for (let at = before.length; at < before.length + unsure.length; at++) {
      const step = (2 * at + 1) * alphabet.length
      logs[step] = Math.log(0.4)
      logs[step + alphabet.indexOf(text[at] ?? '')] = Math.log(0.6)
    }
    return number(text, { confidence: 0.2, ctc: { alphabet, logProbabilities: logs } })
  }

  test.each([
    ['', '© 1999 Wizards', ' 4/102'],
    ['', 'Illus. Kei Tanaka', ' 45/102'],
    ['012/198 ', 'ROYAL', ''],
    ['SVI EN 012/198 ', 'RR', ''],
  ])('is read if it is certain itself: %p, %p, %p', (before, unsure, after) => {
    const [expected = ''] = /[0-9]+\/[0-9]+/.exec(before + after) ?? []
    expect(read([partlySure(before, unsure, after)]).number).toBe(expected)
  })

  test('is not read if a letter of it, or one that touches it, is uncertain', () => {
    expect(read([partlySure('', '4', '/102')])).toEqual(UNREAD)
    expect(read([partlySure('012/1', '9', '8')])).toEqual(UNREAD)
    expect(read([partlySure('SV-P ', '0', '67/198')])).toEqual(UNREAD)
  })

  test('has the set and the language only if their codes are certain', () => {
    expect(read([partlySure('', 'SVI', ' EN 012/198')])).toMatchObject({
      number: '012/198',
      set: '',
      language: 'English',
    })
    expect(read([partlySure('', 'SVI EN', ' 012/198')])).toMatchObject({ set: '', language: '' })
  })

  test('is never read if it touches the end of the line', () => {
    const cut = (text: string, edge: 'left' | 'right') => {
      const { alphabet, logProbabilities } = recognizedText(text, 0.9999)
      const [first, end] = edge === 'left' ? [1, undefined] : [0, -1]
      const kept = logProbabilities.slice(
        first * alphabet.length,
        end === undefined ? undefined : end * alphabet.length,
      )
      return number(text, { ctc: { alphabet, logProbabilities: kept } })
    }
    expect(read([cut('6/108', 'left')])).toEqual(UNREAD)
    expect(read([cut('007', 'right')])).toEqual(UNREAD)
    expect(read([cut('R 0123', 'left')]).number).toBe('0123')
  })
})

describe('letters and digits that look the same', () => {
  const shapes = new Set(['AAA00-000', 'AAA00-A00', 'AA00-000'])
  const numberOf = (text: string, ...catalog: string[]) =>
    readFields(
      [number(text)],
      { kind: 'raw', quality: GOOD_QUALITY, finish: undefined },
      { shapes, isNumber: (one) => catalog.includes(one) },
    ).number

  test('become those of the number in the catalog', () => {
    expect(numberOf('ECJ94-145', 'ECJ94-I45')).toBe('ECJ94-I45')
    expect(numberOf('ECJ94-145', 'ECJ94-145')).toBe('ECJ94-145')
    expect(numberOf('OP01-001', 'OP01-001')).toBe('OP01-001')
  })

  test('are not decided if the catalog has both, or neither', () => {
    expect(numberOf('ECJ94-145', 'ECJ94-145', 'ECJ94-I45')).toBe('')
    expect(numberOf('ECJ94-145')).toBe('')
    expect(numberOf('ECJ94-245')).toBe('ECJ94-245')
    expect(numberOf('101/110')).toBe('101/110')
  })
})

describe('the name', () => {
  test.each([
    ['Cindlemane', 'Cindlemane'],
    ['Cindlemane HP 120', 'Cindlemane'],
    ['Cindlemane 120 HP', 'Cindlemane'],
    ['Cindlemane 120', 'Cindlemane'],
    ['Cindlemane LV.45', 'Cindlemane'],
    ['Cindlemane LV.X', 'Cindlemane LV.X'],
    ['STAGE 2 Cindlemane', 'Cindlemane'],
    ['BASIC Cindlemane', 'Cindlemane'],
    ['Basic Conjuration', 'Basic Conjuration'],
    ['Basic Fire Energy', 'Basic Fire Energy'],
    ['Cindlemane ex', 'Cindlemane ex'],
    ['Cindlemane & Ashwing-GX', 'Cindlemane & Ashwing-GX'],
    ['Mr. Mime', 'Mr. Mime'],
    ['Porygon2', 'Porygon2'],
    ['Monkey.D.Luffy', 'Monkey.D.Luffy'],
    ['Flabébé', 'Flabébé'],
    ['Did Someone Say...Kami?', 'Did Someone Say...Kami?'],
    ['BASIC', ''],
    ['Trainer', ''],
    ['Evolves from Ashling', ''],
    ['120', ''],
    ['★', ''],
  ])('on %p is %p', (text, name) => {
    const print = read([title(text)])
    expect([print.name, print.readable.name]).toEqual([name, name !== ''])
  })

  test('is the tallest name line in the header', () => {
    const header = title('STAGE 1', { heightPx: 40 })
    const before = title('Ashling', { heightPx: 20 })
    const attack = title('Fire Spin', { box: rules('').box, heightPx: 38 })
    expect(read([attack, before, header, title('Cindlemane')]).name).toBe('Cindlemane')
  })

  test('may be elsewhere if one line is clearly taller', () => {
    const at = (text: string, heightPx: number) => rules(text, { kind: 'name', heightPx })
    expect(read([at('Milo Thatch', 36), at('Spirited Scholar', 22)]).name).toBe('Milo Thatch')
    expect(read([at('Fire Spin', 30), at('Ember', 30)]).name).toBe('')
  })

  test('is not an attack if the title has a low confidence or another script', () => {
    const attack = title('Fire Spin', { box: rules('').box })
    expect(read([title('Cindlemame', { confidence: 0.75 }), attack]).name).toBe('')
    expect(read([title('', { confidence: 0, legibility: 0.1 }), attack]).name).toBe('')
    expect(read([title('A7', { script: 'japanese' }), attack]).name).toBe('')
  })
})

describe('the language', () => {
  test.each([
    ['japanese', 'Japanese'],
    ['korean', 'Korean'],
    ['chinese', 'Chinese'],
    ['cyrillic', 'Russian'],
  ] as const)('of several lines in %s is %s', (script, language) => {
    expect(read([...inScript(script, 4), number('4/102')]).language).toBe(language)
  })

  test('needs several lines of one script, without a contradicting code', () => {
    expect(read(inScript('japanese', 2)).language).toBe('')
    expect(read([...inScript('japanese', 3), ...inScript('korean', 3)]).language).toBe('')
    expect(read([...inScript('japanese', 5), ...inScript('chinese', 1)]).language).toBe('Japanese')
    expect(read([...inScript('japanese', 4), number('SVI EN 012/198')]).language).toBe('')
    expect(read([number('LOB-EN001'), small('MKM • DE')]).language).toBe('')
  })

  test('ignores illegible lines, symbols and Latin letters', () => {
    const stars = inScript('chinese', 5).map((line) => ({ ...line, text: '★' }))
    expect(read(stars).language).toBe('')
    const faint = inScript('japanese', 5).map((line) => ({ ...line, legibility: 0.2 }))
    expect(read(faint).language).toBe('')
    expect(read([title('Épée du Roi'), number('4/102')]).language).toBe('')
  })
})

describe('the stamp', () => {
  test.each([
    ['1st Edition', '1st Edition'],
    ['1ST EDITION', '1st Edition'],
    ['EDITION 1', '1st Edition'],
    ['LIMITED EDITION', 'Limited Edition'],
    ['PRE-RELEASE', 'Prerelease'],
    ['STAFF', 'Staff'],
    ['Artifact — Staff', 'unclear'],
    ['UNLIMITED', 'unclear'],
    ['Look at your staff', 'unclear'],
  ])('of a line %p is %p', (text, stamp) => {
    expect(read([rules(text)]).stamp).toBe(stamp)
  })

  test('contains all stamps, but no titles and no lines of low confidence', () => {
    expect(read([rules('STAFF'), rules('PRERELEASE')]).stamp).toBe('Prerelease Staff')
    expect(read([rules('STAFF', { kind: 'name' })]).stamp).toBe('unclear')
    expect(read([rules('1st Edition', { confidence: 0.85 })]).stamp).toBe('unclear')
  })

  test('may be among other words on a label', () => {
    expect(read([label('HOLO 1ST EDITION')], 'graded slab').stamp).toBe('1st Edition')
  })
})

describe('a slab’s label', () => {
  const lines = [label('#11'), label('CINDLEMANE-HOLO', { kind: 'name' }), label('PSA')]

  test('provides a name and a number that were not read on the card', () => {
    const print = read(lines, 'graded slab')
    expect(print).toMatchObject({ name: 'CINDLEMANE', number: '11' })
    expect(print.readable).toEqual({ name: true, number: true, set: false })
    const tiny = lines.map((line) => ({ ...line, heightPx: 8 }))
    expect(read(tiny, 'graded slab').number).toBe('')
    expect(read([label('2022 ONE PIECE OP01-001')], 'graded slab').number).toBe('OP01-001')
  })

  test('has no name in the parts of a grade or beside a number', () => {
    const others = ['EDGES 10', 'No. MRC-40'].map((text) => label(text, { kind: 'name' }))
    for (const other of others) expect(read([other], 'graded slab').name).toBe('')
  })

  test('never overrides the card, and is ignored if ambiguous', () => {
    const print = read([...lines, number('12/108'), title('Ashwing')], 'graded slab')
    expect(print).toMatchObject({ name: 'Ashwing', number: '12/108' })
    expect(read([label('#4'), label('#5')], 'graded slab').number).toBe('')
  })

  test('is ignored for a raw card', () => {
    expect(read(lines)).toEqual(UNREAD)
  })
})

test('for any text, fields are readable and stamps are never excluded', () => {
  const texts = fc.oneof(fc.string(), fc.stringMatching(/^[A-Z0-9/ •#.-]{0,14}$/))
  const lines = fc.array(
    fc.record({
      text: texts,
      kind: fc.constantFrom('name', 'number', 'other'),
      top: fc.double({ min: -0.3, max: 1, noNaN: true }),
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(lines, (all) => {
      const print = read(
        all.map(({ text, kind, top }) => lineOf(text, top, { kind })),
        'graded slab',
      )
      expect(print.stamp).not.toBeNull()
      const { name, set, readable } = print
      expect(readable).toEqual({ name: name !== '', number: print.number !== '', set: set !== '' })
      if (print.number !== '') expect(print.number).toMatch(/[0-9]/)
    }),
  )
})
