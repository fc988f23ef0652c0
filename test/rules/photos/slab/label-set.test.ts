import { expect, test } from 'bun:test'
import { readLabelSet } from '#rules/photos/slab/label-set.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import {
  candidateCard,
  photoReading,
  printedLine,
  printOf,
} from '../../../support/photos/candidate-fixtures.ts'

const BOX = { left: 0.1, top: -0.15, right: 0.5, bottom: -0.125 }
const label = (text: string, facts: Partial<PrintedLine> = {}) =>
  printedLine(text, { kind: 'other', box: BOX, ...facts })

const inSet = (id: number, name: string, release_date: string) =>
  candidateCard(id, { name: 'Cindlemane', set: { id, name, code: null }, release_date })
const CARDS = [
  inSet(1, 'Lantern Season', '2016-02-03'),
  inSet(2, 'LS2: Lantern Season Returns', '2019-05-01'),
  inSet(3, 'Dusk Harvest', '2016-11-02'),
  inSet(4, 'Lantern Season', '2024-11-02'),
]
const setOn = (lines: PrintedLine[], cards = CARDS, name = 'Cindlemane') =>
  readLabelSet(photoReading({ kind: 'graded slab', lines }), printOf({ name }), cards).set

test('the set of a slab is the one that its label names, in any case', () => {
  expect(setOn([label('2016 WICKERWILD LANTERN SEASON #41'), label('CINDLEMANE')])).toBe(
    'Lantern Season',
  )
  expect(setOn([label('LANTERN SEASON RETURNS')])).toBe('LS2: Lantern Season Returns')
  expect(setOn([label('Dusk Harvest #41')])).toBe('Dusk Harvest')
})

test('a set is not taken without its other words, which may stand on another line', () => {
  const lines = [label('2016 LANTERN SEASON'), label('RETURNS')]
  expect(
    setOn(
      lines,
      CARDS.slice(0, 2).map((card) => ({ ...card, release_date: null })),
    ),
  ).toBe('')
})

test('a year excludes the sets of others', () => {
  expect(setOn([label('DUSK HARVEST'), label('2017')])).toBe('Dusk Harvest')
  expect(setOn([label('DUSK HARVEST'), label('2021')])).toBe('')
})

test('no set is taken from two names, an unsure line, the card, or the sets of other cards', () => {
  expect(
    setOn(
      [label('DUSK HARVEST 2016'), label('OTHER SEASON')],
      [...CARDS, inSet(5, 'Other Season', '2016-01-01')],
    ),
  ).toBe('')
  expect(setOn([label('DUSK HARVEST', { confidence: 0.2 })])).toBe('')
  expect(setOn([label('DUSK HARVEST', { box: { ...BOX, top: 0.5, bottom: 0.55 } })])).toBe('')
  expect(setOn([label('DUSK HARVEST')], CARDS, 'Ashwing')).toBe('')
})
