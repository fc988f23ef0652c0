// Rows without the copies of some printings, in the columns of each app.

import { expect, test } from 'bun:test'
import { createCopyRemover } from '#rules/matching/remove-copies.ts'

const remove = (header: string, row: string, ...places: number[]) =>
  createCopyRemover(header.split(','))?.(row.split(','), new Set(places)).join()

test('copies of a printing leave their column', () => {
  expect(remove('Name,Normal,Foil', 'Cindle,2,1', 0)).toBe('Cindle,0,1')
  expect(remove('Name,Normal,Foil', 'Cindle,2,1', 1)).toBe('Cindle,2,0')
  // The first copies of the row are those of its foils.
  expect(remove('Name,Normal,Foil', 'Cindle,0,1', 0)).toBe('Cindle,0,0')
  expect(remove('Name,Reg Qty,Foil Qty', 'Cindle,x3,', 0)).toBe('Cindle,0,')
})

test('copies beside a number of others leave it as it is', () => {
  expect(remove('Name,Quantity,Foil Quantity', 'Cindle,3,2', 0)).toBe('Cindle,0,2')
  expect(remove('Name,Quantity,Foil Quantity', 'Cindle,3,2', 1)).toBe('Cindle,3,0')
  expect(remove('Name,Quantity,Foil Quantity', 'Cindle,,2', 0)).toBe('Cindle,,0')
})

test('copies that a number of all copies includes leave it, too', () => {
  expect(remove('Name,Count,Foil count', 'Cindle,5,2', 0)).toBe('Cindle,2,2')
  expect(remove('Name,Count,Foil count', 'Cindle,5,2', 1)).toBe('Cindle,3,0')
  expect(remove('Name,Count,Foil count', 'Cindle,5,2', 0, 1)).toBe('Cindle,0,0')
})

test('a row that never becomes several has no copies to remove', () => {
  expect(createCopyRemover(['Name', 'Quantity', 'Foil'])).toBeUndefined()
  expect(createCopyRemover([])).toBeUndefined()
})
