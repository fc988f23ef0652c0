import { expect, test } from 'bun:test'
import { settleSlab } from '#rules/photos/slab/label.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import {
  GOOD_QUALITY,
  photoReading,
  printedLine,
} from '../../../support/photos/candidate-fixtures.ts'

const BOX = { left: 0.1, top: -0.15, right: 0.5, bottom: -0.125 }
const above = (text: string, facts: Partial<PrintedLine> = {}) =>
  printedLine(text, { kind: 'other', box: BOX, ...facts })
const kindWith = (...lines: PrintedLine[]) =>
  settleSlab(photoReading({ kind: 'graded slab', lines })).kind

test.each(['PSA', 'GEM MT 10', '9.5', '48204417', '899391', 'LANTERN SEASON', '2016 WICKERWILD'])(
  'a card below %s is in a slab',
  (text) => {
    expect(kindWith(printedLine('Cindlemane'), above(text, { confidence: 0.6 }))).toBe(
      'graded slab',
    )
  },
)

test('a card without a label is raw, whatever it looked like', () => {
  expect(kindWith()).toBe('raw')
  expect(kindWith(printedLine('PSA'), printedLine('GEM MT 10'))).toBe('raw')
})

test.each([
  ['a price sticker', above('$4.99')],
  ['a pattern of the table', above('ILLUMI', { legibility: 0.1 })],
  ['what nobody can read', above('AUTHENTIC', { confidence: 0.1 })],
])('%s above a card does not make it a slab', (_, line) => {
  expect(kindWith(line)).toBe('raw')
})

test('a slab without corners is one, because no place is above it', () => {
  const quality = { ...GOOD_QUALITY, cornerConfidence: 0 }
  expect(settleSlab(photoReading({ kind: 'graded slab', quality })).kind).toBe('graded slab')
})

test.each(['back', 'sealed', 'raw', undefined] as const)('%s stays what it is', (kind) => {
  expect(settleSlab(photoReading({ kind, lines: [above('GEM MT 10')] })).kind).toBe(kind)
})
