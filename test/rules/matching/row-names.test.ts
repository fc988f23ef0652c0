import { describe, expect, test } from 'bun:test'
import {
  hasSameDigits,
  listDroppedNumbers,
  listRowNames,
  slipsMax,
} from '#rules/matching/row-names.ts'

const names = (cell: string) => listRowNames(cell).map(({ written }) => written)

describe('the names of a row', () => {
  test.each([
    ['Sol Ring', ['Sol Ring']],
    ['Sol Ring (Borderless)', ['Sol Ring (Borderless)', 'Sol Ring']],
    ['Charizard - 4/102', ['Charizard - 4/102', 'Charizard']],
    [
      "Balin's Tomb // Ancient Tomb",
      ["Balin's Tomb // Ancient Tomb", "Balin's Tomb", 'Ancient Tomb'],
    ],
    ['', []],
  ])('%p are the whole, its faces, and the name without additions', (cell, expected) => {
    expect(names(cell)).toEqual(expected)
  })

  test('remember the numbers that were dropped, but not versions', () => {
    const dropped = (cell: string) => listRowNames(cell).flatMap(listDroppedNumbers)
    expect(dropped('Charizard - 4/102')).toEqual(['4/102'])
    expect(dropped('Forest (V.3)')).toEqual([])
    expect(dropped('Forest [Version 2]')).toEqual([])
  })
})

test.each([
  ['snap', 0],
  ['murder', 1],
  ['banishment', 1],
  ['lightningbolt', 2],
] as const)('%p may have %p slips', (bare, slips) => expect(slipsMax(bare)).toBe(slips))

test('digits have no slips', () => {
  expect(hasSameDigits('battleacademy2022', 'battleacademy2024')).toBe(false)
  expect(hasSameDigits('porygon2', 'porigon2')).toBe(true)
})
