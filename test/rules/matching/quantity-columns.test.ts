import { expect, test } from 'bun:test'
import { findCountColumns, parseQuantity } from '#rules/matching/quantity-columns.ts'

test.each([
  [null, 1],
  ['1', 1],
  ['4x', 4],
  ['x3', 3],
  ['×3', 3],
  ['2.0', 2],
  ['1,0', 1],
  ['2,00', 2],
  ['5 copies', 5],
  ['1 card', 1],
  ['3 Stück', 3],
  ['1000000', 1_000_000],
  ['0', 0],
  ['0.0', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['1,000', undefined],
  ['1000001', undefined],
  ['two', undefined],
  ['x', undefined],
])('a quantity of %p is %p copies', (cell, copies) => {
  expect(parseQuantity(cell)).toBe(copies)
})

test.each([
  [['name', 'quantity', 'tradequantity'], [2]],
  [['name', 'count', 'tradelistcount'], [2]],
  [['name', 'quantity', 'foilqty'], []],
  [['name', 'quantity', 'country'], []],
])('columns of %p that look like a quantity are %p', (keys, unknown) => {
  expect([...findCountColumns(keys, [1]).unknown]).toEqual(unknown)
})
