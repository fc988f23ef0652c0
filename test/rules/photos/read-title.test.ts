import { describe, expect, test } from 'bun:test'
import { cleanName } from '#rules/catalog/names.ts'
import { type ListedCard, readCardName } from '#rules/photos/read-title.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import {
  printedLine,
  recognizedLine,
  recognizedText,
} from '../../support/photos/candidate-fixtures.ts'

const LIMITS = { listed: 0.3, other: 0.99 }

/** Names of a catalog; Windstorm is an attack in one game, and a card of another. */
const CATALOG: Readonly<Record<string, ListedCard[]>> = {
  'tide clerk': [card('vellum-and-thorn', '10')],
  'hesper ring': [card('perihelion-drift', 'PD1-009')],
  windstorm: [card('magic', '205'), card('pokemon', '85/100')],
  cindlemane: [card('pokemon', '41/165')],
  forest: [card('magic', '269'), card('lorcana', '12')],
  'fire spin': [card('perihelion-drift', 'PD1-044')],
}

function card(slug: string, number: string): ListedCard {
  return { number, game: { id: slug.length, slug, name: slug } }
}

const read = (lines: PrintedLine[], number = '') =>
  readCardName(lines, number, LIMITS, (name) => CATALOG[cleanName(name).toLowerCase()] ?? [])

/** Creates a line whose kind is unknown, 28 letters wide at most. */
function line(text: string, top: number, heightPx: number, facts: Partial<PrintedLine> = {}) {
  const box = { left: 0.06, top, right: 0.06 + 0.03 * text.length, bottom: top + heightPx / 790 }
  const read = { confidence: 0.9, legibility: 0.97, kind: 'other', heightPx, box } as const
  return printedLine(text, {
    ...read,
    ctc: recognizedLine(text, facts.confidence ?? 0.9),
    ...facts,
  })
}

const rules = (text: string) => line(text, 0.7, 24)

describe('a line with a name of the catalog', () => {
  test.each([0.04, 0.4, 0.58, 0.88])('is the name at %p of the height', (top) => {
    expect(read([line('Tide Clerk', top, 45), rules('draws one card.')])).toBe('Tide Clerk')
    expect(read([line('TIDE CLERK', top, 45, { confidence: 0.4 })])).toBe('TIDE CLERK')
  })

  test('is not the rest of a name whose beginning is hidden, nor a word of the frame', () => {
    expect(read([line('of the Reeds', 0.06, 50, { kind: 'name', confidence: 0.999 })])).toBe('')
    expect(read([line('ATK', 0.06, 50, { kind: 'name', confidence: 0.999 })])).toBe('')
  })

  test('is the name below a banner with the type of the card', () => {
    const lines = [line('TRAINER', 0.07, 66), line('Cindlemane', 0.17, 38), rules('draws one.')]
    expect(read(lines)).toBe('Cindlemane')
  })

  test.each([
    'Tide Clerk SUPPORTER',
    'TRAINER Tide Clerk',
    'Tide Clerk w.1s 50 HP',
    'Tide Clerk m1.50 HP',
    'Tide Clerk w.4. 80 HP',
    'Tide Clerk 1 P2',
    'Tide Clerk &Q &&&9',
    'Tide Clerk LV.12 50 HP',
    'Tide Clerk G',
    'Tide Clerk #142',
  ])('is the name beside words of the frame: %p', (text) => {
    expect(read([line(text, 0.06, 45)])).toBe('Tide Clerk')
  })

  test.each([
    'Tide Clerk V',
    'Tide Clerk V.',
    'Tide Clerk V2',
    'Tide Clerk ex',
    'Tide Clerk e×',
    'Tide Clerk e2',
    'Tide Clerk e:',
    'Tide Clerk e*',
    'Tide Clerk e',
    'Tide Clerk G×',
    'Tide Clerk G*',
    'Tide Clerk L.X',
    'Tide Clerk 1v.X',
    'Sha8ow Windstorm',
    'Windstorm L4nce',
  ])('is not a part of another name: %p', (text) => {
    expect(read([line(text, 0.06, 45)])).toBe('')
  })

  test('is the name beside a cost in the same box', () => {
    const { alphabet } = recognizedText('Hesper Ring 3')
    const steps = [...'Hesper Ring', ...Array.from({ length: 20 }, () => ''), '3', '']
    const logs = ['', ...steps].flatMap((letter, at, all) => [
      letter,
      at < all.length - 1 ? '' : '',
    ])
    const ctc = {
      alphabet,
      logProbabilities: Float32Array.from(
        logs.flatMap((letter) => alphabet.map((one) => Math.log(one === letter ? 0.999 : 1e-5))),
      ),
    }
    expect(read([line('Hesper Ring3', 0.6, 41, { ctc, text: 'Hesper Ring3' })])).toBe('Hesper Ring')
  })

  test('is ignored at low confidence, low legibility or in another script', () => {
    for (const facts of [{ confidence: 0.2 }, { legibility: 0.4 }, { script: 'other' }] as const) {
      expect(read([line('Tide Clerk', 0.58, 45, facts)])).toBe('')
    }
  })

  test('is not reported where rules of the same size state it', () => {
    const others = ['draws one card and then', 'discards two cards.'].map(rules)
    expect(read([line('Tide Clerk', 0.75, 24), ...others])).toBe('')
  })

  test('is an attack below a title, read or not', () => {
    const attack = line('Fire Spin', 0.6, 30)
    expect(read([attack, line('Cindlemane', 0.05, 36)])).toBe('Cindlemane')
    expect(read([attack, line('Cindl mnae', 0.05, 36, { confidence: 0.1 })])).toBe('')
    expect(
      read([
        attack,
        line('', 0.05, 36, {
          legibility: 0.1,
          box: { left: 0.1, top: 0.05, right: 0.6, bottom: 0.09 },
        }),
      ]),
    ).toBe('')
  })

  test('is an attack in games that print every name in the header, unless the number is of its card', () => {
    const attack = line('Windstorm', 0.6, 30)
    expect(read([attack])).toBe('')
    expect(read([attack], '41/165')).toBe('')
    expect(read([attack], '85/100')).toBe('Windstorm')
  })

  test('is undecided beside another one of its size, unless the number decides', () => {
    const both = [line('Tide Clerk', 0.5, 40), line('Hesper Ring', 0.6, 40)]
    expect(read(both)).toBe('')
    expect(read(both, 'PD1-009')).toBe('Hesper Ring')
    expect(read(both, 'PD1-077')).toBe('')
  })

  test('in the header is below none of a title that was not read', () => {
    const before = line('Forest', 0.09, 20)
    expect(read([before, line('Unread title', 0.03, 36, { confidence: 0.2 })])).toBe('')
    expect(read([before, line('STAGE 1', 0.03, 36)])).toBe('Forest')
  })
})
