import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { arrangeCards } from '#rules/photos/arrange-cards.ts'
import type { Outline } from '#rules/photos/page-cut.ts'
import { expectProperty } from '../../support/properties.ts'

/** A card of 63 by 88 with its center at a position, turned about its center by quarter turns. */
function cardAt(x: number, y: number, quarters = 0): Outline {
  const corners = [
    { x: x - 31.5, y: y - 44 },
    { x: x + 31.5, y: y - 44 },
    { x: x + 31.5, y: y + 44 },
    { x: x - 31.5, y: y + 44 },
  ] as const
  const at = (index: number) => corners[(index + quarters) % 4] ?? corners[0]
  return [at(0), at(1), at(2), at(3)]
}

function turn(outline: Outline, degrees: number): Outline {
  const [cos, sin] = [Math.cos(degrees * (Math.PI / 180)), Math.sin(degrees * (Math.PI / 180))]
  const at = (index: 0 | 1 | 2 | 3) => {
    const { x, y } = outline[index]
    return { x: x * cos - y * sin, y: x * sin + y * cos }
  }
  return [at(0), at(1), at(2), at(3)]
}

const positionsOf = (outlines: Outline[]) =>
  arrangeCards(outlines).map(({ row, column }) => `${row}/${column}`)

test('the pockets of a page at any small angle have their rows and columns, also beside empty pockets', async () => {
  const page = fc.record({
    columns: fc.integer({ min: 1, max: 6 }),
    rows: fc.integer({ min: 1, max: 6 }),
    degrees: fc.integer({ min: -30, max: 30 }),
    // Cards are shifted in their pockets, and some are upside down.
    shifts: fc.array(
      fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.boolean()),
      { minLength: 36, maxLength: 36 },
    ),
    empty: fc.integer({ min: 0, max: 35 }),
  })
  await expectProperty(
    fc.asyncProperty(page, async ({ columns, rows, degrees, shifts, empty }) => {
      const pockets = Array.from({ length: columns * rows }, (_, index) => index)
      // An empty pocket, in a row and a column that have other cards.
      const filled = pockets.filter((pocket) => pocket !== empty || columns < 2 || rows < 2)
      const placed = filled.map((pocket) => {
        const [right, down, isTurned] = shifts[pocket] ?? [0, 0, false]
        const [row, column] = [Math.floor(pocket / columns), pocket % columns]
        const card = cardAt(column * 70 + right, row * 95 + down, isTurned ? 2 : 0)
        return { expected: `${row + 1}/${column + 1}`, outline: turn(card, degrees) }
      })
      const found = positionsOf(placed.map(({ outline }) => outline))
      const expected = placed.map(({ expected }) => expected)
      if (found.join() !== expected.join()) throw new Error(`${found} instead of ${expected}`)
    }),
    { numRuns: 300 },
  )
})

test('a fan is one row', () => {
  const fan = [0, 1, 2, 3].map((index) => turn(cardAt(index * 30, 0), index * 3))
  expect(positionsOf(fan)).toEqual(['1/1', '1/2', '1/3', '1/4'])
})

test('scattered cards are ordered in rows of the photo, from left to right', () => {
  const cards = [turn(cardAt(0, 0), 20), cardAt(210, 30, 1), turn(cardAt(90, 300), -40)]
  expect(positionsOf(cards)).toEqual(['1/1', '1/2', '2/1'])
})

test('one card is in the first row and column, and no card in none', () => {
  expect([positionsOf([cardAt(500, 500)]), positionsOf([])]).toEqual([['1/1'], []])
})
