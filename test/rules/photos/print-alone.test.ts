import { describe, expect, test } from 'bun:test'
import { numberForms } from '#rules/catalog/number-forms.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { confirmPrint, LIKELY_LIMITS } from '#rules/photos/confirm-print.ts'
import type { PhotoReading } from '#rules/photos/photo-reading.ts'
import { likelyNumbers, readFields } from '#rules/photos/read-fields.ts'
import { matchNumbers } from '#rules/photos/text-match.ts'
import { decideVerdict } from '#rules/photos/verdict.ts'
import {
  candidateCard,
  GOOD_QUALITY,
  photoReading,
  printedLine,
  printOf,
  recognizedText,
  unsureLine,
} from '../../support/photos/candidate-fixtures.ts'

const FOOT = { left: 0.05, top: 0.95, right: 0.4, bottom: 0.97 }

/** Decides among cards without pictures. */
function judge(facts: Partial<PhotoReading>, cards: readonly CandidateCard[]) {
  const unseen = cards.map((card) => ({ ...card, art_group: null }))
  const { status, candidates } = decideVerdict(photoReading(facts), unseen, ['wickerwild'])
  return { status, ids: candidates.map(({ card }) => card.id) }
}

describe('a number without a name', () => {
  const cards = [
    candidateCard(1, { number: 'ZOX.843' }),
    candidateCard(2, { number: '0194' }),
    candidateCard(3, { number: 'ZOX.844' }),
  ]

  test('lists the card that has it, read with certainty or letter by letter', () => {
    const listed = { status: 'ambiguous' as const, ids: [1] }
    expect(judge({ print: printOf({ number: 'ZOX.843' }) }, cards)).toEqual(listed)
    const ctcOnly = unsureLine('ZOX.843', { kind: 'number', box: FOOT })
    expect(judge({ lines: [ctcOnly] }, cards)).toEqual(listed)
  })

  test('lists nothing if the name read is another, or if many cards have the number', () => {
    const other = printOf({ number: 'ZOX.843', name: 'Quarry Heron' })
    expect(judge({ print: other }, cards).status).toBe('not_found')
    expect(judge({ print: printOf({ number: '0194' }) }, cards).status).toBe('not_found')
  })
})

describe('a name and a number', () => {
  const warden = (id: number, facts: Partial<CandidateCard> = {}) =>
    candidateCard(id, { name: 'Lamplight Warden', number: '17/200', ...facts })
  const print = printOf({ name: 'Lamplight Warden', number: '17/200' })

  test('in Latin letters exclude a card of a Japanese game, but not on a label', () => {
    const game = { id: 85, slug: 'pokemon-japan', name: 'Pokemon Japan' }
    const cards = [warden(1), warden(2, { number: '017', game })]
    expect(judge({ print }, cards).status).toBe('matched')
    expect(judge({ print, kind: 'graded slab' }, cards).status).toBe('ambiguous')
    const foreign = [warden(1), warden(2, { number: '017' })]
    expect(judge({ print }, foreign).status).toBe('ambiguous')
  })

  test('match with a part of the name, if no other card has this part and the number with its total', () => {
    const own = warden(1, { name: 'Lamplight Warden EX' })
    const judged = (...others: CandidateCard[]) => judge({ print }, [own, ...others]).status
    expect([judged(), judged(warden(2, { number: '18/200' }))]).toEqual(['matched', 'matched'])
    expect(judged(warden(2, { name: 'Lamplight Warden LV.X' }))).toBe('ambiguous')
    expect(judged(warden(2, { number: '17' }))).toBe('ambiguous')
    expect(judge({ print }, [{ ...own, number: '17' }]).status).toBe('ambiguous')
    const short = printOf({ name: 'Lamplight Warden', number: '17' })
    expect(judge({ print: short }, [{ ...own, number: '17' }]).status).toBe('ambiguous')
  })

  test('in Latin letters match no card of a Japanese game, unless the language was read', () => {
    const game = { id: 85, slug: 'pokemon-japan', name: 'Pokemon Japan' }
    const patterned = warden(2, { name: 'Lamplight Warden (Tide Pattern)', game })
    const japanese = printOf({ name: 'Lamplight Warden', number: '17/200', language: 'Japanese' })
    expect(judge({ print }, [warden(1, { game }), patterned]).status).toBe('ambiguous')
    expect(judge({ print }, [warden(1, { game })]).status).toBe('ambiguous')
    expect(judge({ print: japanese }, [warden(1, { game }), patterned]).status).toBe('ambiguous')
    expect(judge({ print: japanese }, [warden(1, { game })]).status).toBe('matched')
  })

  test.each([
    ['another logo and no total', { name: 'Lamplight Warden V', number: '17' }],
    ['a stamp and no total', { name: 'Lamplight Warden EX (Tide Pattern)', number: '017' }],
    ['a stamp and no number', { name: 'Lamplight Warden EX (Tide Pattern)', number: null }],
  ])('match no part of a name beside a card with %s', (_, rival) => {
    const own = warden(1, { name: 'Lamplight Warden EX' })
    expect(judge({ print }, [own, warden(2, rival)]).status).toBe('ambiguous')
  })

  test('match no name beside one with a logo, which may be unread, and exactly the number', () => {
    const set = { id: 2, name: 'Dusk Harvest', code: 'DSH' }
    const judged = (name: string, number = '017/200') =>
      judge({ print }, [warden(1), warden(2, { name, number, set })]).status
    expect(judged('Lamplight Warden EX')).toBe('ambiguous')
    expect(judged('Lamplight Warden EX', '17')).toBe('matched')
    expect(judged('Lamplight Warden EX', '18/200')).toBe('matched')
    const short = printOf({ name: 'Mew', number: '17/200' })
    const cards = [warden(1, { name: 'Mew' }), warden(2, { name: 'Mew VMAX', set })]
    expect(judge({ print: short }, cards).status).toBe('ambiguous')
    const withSet = printOf({ name: 'Mew', number: '17/200', set: 'LTS' })
    expect(judge({ print: withSet }, cards).status).toBe('matched')
  })

  test.each([
    'Lamplight Wardenry',
    'Lamplight Wardenkeeper',
    'Dark Lamplight Warden',
    'Lamplight Warden2',
  ])('match %p by no part that is not its first words', (name) => {
    expect(judge({ print }, [warden(1, { name })]).status).not.toBe('matched')
  })
})

test('a code does not exclude the promo of a card, which shows it, too', () => {
  const named = (id: number, set: string) =>
    candidateCard(id, {
      name: 'Lamplight Warden',
      number: '128/285',
      set: { id, name: set, code: id === 1 ? 'LTS' : null },
    })
  const print = printOf({ name: 'Lamplight Warden', number: '128/285', set: 'LTS' })
  const [own, promo, other] = [
    named(1, 'Lantern Season'),
    named(2, 'Prerelease Cards'),
    named(3, 'Dusk Harvest'),
  ]
  expect(judge({ print }, [own, promo]).status).toBe('ambiguous')
  expect(judge({ print }, [own, other])).toMatchObject({ status: 'matched', ids: [1, 3] })
})

describe('the code of a set', () => {
  const set = (id: number, code: string) => ({ id, name: `Season ${id}`, code })
  const namesakes = ['LTS', 'DSH', 'ORI'].map((code, index) =>
    candidateCard(index + 1, { name: 'Lamplight Warden', number: null, set: set(index, code) }),
  )
  const name = unsureLine('Lamplight Warden')

  test('puts its card before the namesakes, also where it is hard to read', () => {
    const code = unsureLine('DSH EN', { kind: 'number', box: FOOT })
    expect(judge({ lines: [name, code] }, namesakes).ids[0]).toBe(2)
  })

  test('favors no card if it stands in another text', () => {
    const rules = unsureLine('Draw DSH', { kind: 'other' })
    expect(judge({ lines: [name, rules] }, namesakes).ids).toEqual([1, 2, 3])
  })
})

describe('a number whose letters look like digits', () => {
  const shapes = new Set(['AAA.000'])
  const line = printedLine('Z0X.843', { kind: 'number', box: FOOT, heightPx: 14 })

  test('is found by its form in the catalog', () => {
    expect(likelyNumbers([line], shapes)).toContain('ZOX.843')
    const context = { kind: 'raw', quality: GOOD_QUALITY, finish: undefined } as const
    const isListed = (number: string) => number === 'ZOX.843'
    expect(readFields([line], context, { shapes, isNumber: isListed }).number).toBe('ZOX.843')
  })

  test('stays a text if it has no letter', () => {
    const digits = printedLine('10000', { kind: 'number', box: FOOT, heightPx: 14 })
    expect(likelyNumbers([digits], new Set(['AA000']))).toEqual([])
  })
})

describe('a language in the number', () => {
  test('is ignored where numbers are compared', () => {
    expect(numberForms('NAJB DE 72/408')).toContain('72/408')
    expect(matchNumbers('NAJB 72/408', 'NAJB DE 72/408')).toBe('exact')
  })

  test('is supported where the catalog lists it', () => {
    const german = (number: string) =>
      judge({ print: printOf({ name: 'Card 1', language: 'German' }) }, [
        candidateCard(1, { number }),
      ]).status
    expect(german('NAJB DE 72/408')).toBe('ambiguous')
    expect(german('NAJB 72/408')).toBe('unsupported')
  })
})

describe('a number that is hard to read', () => {
  const name = unsureLine('Lamplight Warden')
  const reading = photoReading({ lines: [name] })
  const likely = printOf({ number: '017/200' })
  const warden = (number: string) => candidateCard(1, { name: 'Lamplight Warden', number })

  test('is confirmed by a card with the name that was read', () => {
    const confirmed = confirmPrint(reading, likely, [warden('17/200')])
    expect(confirmed).toMatchObject({ number: '017/200', readable: { number: true } })
  })

  test('is confirmed beside a part of the name', () => {
    const own = { ...warden('17/200'), name: 'Lamplight Warden EX' }
    const part = { ...reading, print: printOf({ name: 'Lamplight Warden' }) }
    expect(confirmPrint(part, likely, [own]).number).toBe('017/200')
    for (const name of ['Lamp Heron', 'Lamplight Wardenkeeper', 'Dark Lamplight Warden']) {
      expect(confirmPrint(part, likely, [{ ...own, name }]).number).toBe('')
    }
  })

  test('stays unread without a card that has both', () => {
    const other = candidateCard(2, { name: 'Quarry Heron', number: '17/200' })
    expect(confirmPrint(reading, likely, [other, warden('18/200')])).toBe(reading.print)
    const withoutTotal = printOf({ number: '017' })
    expect(confirmPrint(reading, withoutTotal, [warden('17/200')])).toBe(reading.print)
  })

  test('is confirmed by a card whose total the catalog lacks', () => {
    expect(confirmPrint(reading, likely, [warden('17')]).number).toBe('017/200')
  })

  test('is confirmed beside other numbers whose totals the catalog lacks, too', () => {
    const text = '150/208 • XX'
    const ctc = recognizedText(text, 0.9)
    const { alphabet, logProbabilities: logs } = ctc
    const lines = [name, unsureLine(text, { kind: 'number', box: FOOT, ctc })]
    const confirm = () => {
      const cards = ['150', '160'].map((number, id) => ({ ...warden(number), id }))
      return confirmPrint({ ...reading, lines }, printOf({ number: '150/208' }), cards).number
    }
    expect(confirm()).toBe('150/208')
    // The second digit is a 5 or, hardly less likely, a 6.
    logs[3 * alphabet.length + alphabet.indexOf('6')] = Math.log(0.4)
    expect(confirm()).toBe('')
  })

  test('stays unread if its letters may be another number of the name', () => {
    const lines = [name, unsureLine('017/200', { kind: 'number', box: FOOT })]
    const namesake = { ...warden('011/200'), id: 2 }
    const confirm = (read: typeof lines) =>
      confirmPrint({ ...reading, lines: read }, likely, [warden('017/200'), namesake]).number
    expect(confirm(lines)).toBe('017/200')
    const { alphabet, logProbabilities: logs } = recognizedText('017/200', 0.9)
    // The third digit is a 7 or, hardly less likely, a 1.
    logs[5 * alphabet.length + alphabet.indexOf('1')] = Math.log(0.4)
    const ctc = { alphabet, logProbabilities: logs }
    expect(confirm([name, unsureLine('017/200', { kind: 'number', box: FOOT, ctc })])).toBe('')
  })

  test('of two digits and a total is confirmed by its letters, beside other numbers of the name', () => {
    const { alphabet, logProbabilities: logs } = recognizedText('50/108 • XX', 0.9)
    const confirm = (...namesakes: string[]) => {
      const ctc = { alphabet, logProbabilities: logs }
      const lines = [name, unsureLine('50/108 • XX', { kind: 'number', box: FOOT, ctc })]
      const cards = ['50/108', ...namesakes].map((number, id) => ({ ...warden(number), id }))
      return confirmPrint({ ...reading, lines }, printOf({ number: '50/108' }), cards).number
    }
    expect(confirm('051/102', '176', '5')).toBe('50/108')
    // The first digit is a 5 or, hardly less likely, a 6.
    logs[alphabet.length + alphabet.indexOf('6')] = Math.log(0.4)
    expect([confirm('60/108'), confirm('51/108')]).toEqual(['', '50/108'])
    // The catalog may omit the total of the other number.
    expect(['60', '060', '51'].map((other) => confirm(other))).toEqual(['', '', '50/108'])
  })

  test('of one or two digits needs more confidence, because it fits any line', () => {
    const short = printOf({ number: '10' })
    const confirm = (probability: number) => {
      const ctc = recognizedText('No. 10 NLB', probability)
      const lines = [name, unsureLine('No. 10 NLB', { kind: 'number', box: FOOT, ctc })]
      const namesake = { ...warden('12'), id: 2 }
      return confirmPrint({ ...reading, lines }, short, [warden('10'), namesake]).number
    }
    expect([confirm(0.999), confirm(0.9)]).toEqual(['10', ''])
  })

  test.each([
    ['No. 10', '10'],
    ['No. 10 NLB • U', '10'],
    ['No. 46 • TGR • U', '46'],
    ['#46', '46'],
    ['Lamplight Warden #146', '146'],
    ['No. 0025 Mouse', ''],
  ])('announced by %p is likely %p, and never certain', (text, likelyNumber) => {
    const line = printedLine(text, { kind: 'number', box: FOOT, ctc: recognizedText(text, 0.999) })
    const context = { kind: 'raw', quality: GOOD_QUALITY, finish: undefined } as const
    const vocabulary = { shapes: new Set<string>() }
    expect(readFields([line], context, vocabulary).number).toBe('')
    expect(readFields([line], context, vocabulary, LIKELY_LIMITS).number).toBe(likelyNumber)
  })

  test('is spelled by its letters beside symbols, or with letters that look like digits', () => {
    const spell = (text: string, box = FOOT) => {
      const named = photoReading({
        print: printOf({ name: 'Lamplight Warden' }),
        lines: [name, unsureLine(text, { kind: 'other', box })],
      })
      const cards = [warden('17/200'), { ...warden('0352'), id: 2 }, { ...warden('9'), id: 3 }]
      return confirmPrint(named, printOf({}), cards).number
    }
    expect(['17/200 • X3', 'M O352', '17/20', '18/200', '9'].map((text) => spell(text))).toEqual([
      '17/200',
      '0352',
      '',
      '',
      '',
    ])
    // Between other lines, 352 is damage.
    expect(spell('0352', { left: 0.1, top: 0.6, right: 0.3, bottom: 0.63 })).toBe('')
  })

  test('is spelled with a misread stroke, and beside a short number of the name that noise resembles', () => {
    const { alphabet, logProbabilities: logs } = recognizedText('1701200', 0.9)
    logs[7 * alphabet.length + alphabet.indexOf('/')] = Math.log(0.03)
    const lines = [
      name,
      unsureLine('1701200', { box: FOOT, ctc: { alphabet, logProbabilities: logs } }),
    ]
    const misread = photoReading({ print: printOf({ name: 'Lamplight Warden' }), lines })
    expect(confirmPrint(misread, printOf({}), [warden('170/200')]).number).toBe('170/200')
    expect(confirmPrint(misread, printOf({}), [warden('171/200')]).number).toBe('')
    const spell = (text: string, numbers: readonly string[]) => {
      const lines = [name, unsureLine(text, { kind: 'number', box: FOOT })]
      const named = photoReading({ print: printOf({ name: 'Lamplight Warden' }), lines })
      const cards = numbers.map((number, index) => ({ ...warden(number), id: index }))
      return confirmPrint(named, printOf({}), cards).number
    }
    expect(spell('170/200 • 003', ['170/200', '003'])).toBe('170/200')
    expect(spell('003', ['170/200', '003'])).toBe('003')
  })

  test('is not spelled if its letters fit two numbers of the name alike, or the name was not read', () => {
    const lines = [name, unsureLine('17/200 • X3', { kind: 'number', box: FOOT })]
    const [own, twin] = [warden('17/200'), { ...warden('17/200p'), id: 2 }]
    const named = photoReading({ print: printOf({ name: 'Lamplight Warden' }), lines })
    expect(confirmPrint(named, printOf({}), [own, twin]).number).toBe('17/200')
    expect(confirmPrint({ ...reading, lines }, printOf({}), [own]).number).toBe('')
    const { alphabet, logProbabilities: logs } = recognizedText('17/200', 0.9)
    logs[3 * alphabet.length + alphabet.indexOf('1')] = Math.log(0.4)
    const ctc = { alphabet, logProbabilities: logs }
    const unsure = [name, unsureLine('17/200', { kind: 'number', box: FOOT, ctc })]
    const other = { ...warden('11/200'), id: 3 }
    expect(confirmPrint({ ...named, lines: unsure }, printOf({}), [own, other]).number).toBe('')
  })

  test.each([
    ['46/274 C', ''],
    ['/274 L', ''],
    ['46 / 274 C', ''],
    ['46|274 C', ''],
    ['I274 L', ''],
    ['46/27A C', ''],
    ['274/300 C', '274'],
    ['C 274', '274'],
    ['46/300 • 274', '274'],
  ])('is never the total of another: %p spells %p', (text, number) => {
    const cards = [warden('46'), { ...warden('274'), id: 2 }]
    const spell = (probability: number) => {
      const line = unsureLine(text, { kind: 'number', box: FOOT }, probability)
      const print = printOf({ name: 'Lamplight Warden' })
      return confirmPrint(photoReading({ print, lines: [name, line] }), printOf({}), cards).number
    }
    expect([0.6, 0.95].map(spell)).toEqual([number, number])
  })

  test('is not spelled as a similar number if it could be read, but the catalog lacks it', () => {
    const { alphabet, logProbabilities: logs } = recognizedText('146/281', 0.9)
    logs[13 * alphabet.length + alphabet.indexOf('7')] = Math.log(0.4)
    const ctc = { alphabet, logProbabilities: logs }
    const lines = [name, unsureLine('146/281', { kind: 'number', box: FOOT, ctc })]
    const named = photoReading({ print: printOf({ name: 'Lamplight Warden' }), lines })
    const confirm = (number: string) =>
      confirmPrint(named, printOf({ number }), [warden('146/287')]).number
    expect([confirm('146/281'), confirm('')]).toEqual(['', '146/287'])
  })

  test('never replaces a number that was read', () => {
    const certain = { ...reading, print: printOf({ number: '4/200' }) }
    expect(confirmPrint(certain, likely, [warden('17/200')])).toBe(certain.print)
  })
})

describe('the label of a slab', () => {
  const ON_LABEL = { left: 0.1, top: -0.18, right: 0.8, bottom: -0.14 }
  const onLabel = (text: string) => unsureLine(text, { kind: 'other', box: ON_LABEL })
  const wardens = [
    candidateCard(1, { name: 'Lamplight Warden', number: '016/200' }),
    candidateCard(2, { name: 'Lamplight Warden', number: '017/200' }),
  ]
  const art = ['Deep Roots', 'Quiet Water', 'Long Road'].map((text) => unsureLine(text))

  test('names the card, beside other words and titles of the card', () => {
    const lines = [...art, onLabel('2021 WICKERWILD'), onLabel('017/200 LAMPLIGHT WARDEN')]
    expect(judge({ kind: 'graded slab', lines }, wardens).ids).toEqual([2, 1])
  })

  test('states the number without its total', () => {
    const lines = [onLabel('Lamplight Warden'), onLabel('#17'), onLabel('MINT 9')]
    expect(judge({ kind: 'graded slab', lines }, wardens).ids[0]).toBe(2)
  })
})

describe('a card without a number', () => {
  const named = (number: string | null, id: number) =>
    candidateCard(id, { name: 'Lamplight Warden', number })
  const lineOf = (text: string) => [
    unsureLine('Lamplight Warden'),
    unsureLine(text, { kind: 'number', box: FOOT }),
  ]

  test.each([
    ['could not be read', '9lE S3'],
    ['is that of the other card', '017/200'],
  ])('ranks after cards of the same name if the number %s', (_, text) => {
    const cards = [named(null, 1), named('U5', 2), named('17/200', 3), named('18/200', 4)]
    expect(judge({ lines: lineOf(text) }, cards).ids[0]).toBe(3)
  })
})
