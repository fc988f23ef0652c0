import { describe, expect, test } from 'bun:test'
import {
  hasSameDigits,
  listDroppedNumbers,
  listDroppedWords,
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
    ['Front // Middle // Back', ['Front // Middle // Back', 'Front', 'Back']],
    ['', []],
  ])('%p are the whole, its faces, and the name without additions', (cell, expected) => {
    expect(names(cell)).toEqual(expected)
  })

  test('remember the numbers that were dropped, but not versions', () => {
    const dropped = (cell: string) => listRowNames(cell).flatMap(listDroppedNumbers)
    expect(dropped('Charizard - 4/102')).toEqual(['4/102'])
    expect(dropped('Forest (V.3)')).toEqual([])
    expect(dropped('Forest [Version 2]')).toEqual([])
    expect(dropped('Cindle (SVP 044)')).toEqual(['SVP 044'])
    expect(dropped('Cindle (PokeTour 1999)')).toEqual([])
  })

  test.each([
    ['Eevee (Master Ball)', ['Master Ball']],
    ['Charizard (1st Edition) - 4/102', ['1st Edition']],
    ['Fire Energy (Prize Pack Series 1)', ['Prize Pack Series 1']],
    ['Pikachu (PokeTour 1999)', ['PokeTour 1999']],
    ['Altaria - BW48 (Prerelease) [Staff]', ['Prerelease', 'Staff']],
    ['Morpeko V-UNION (Set of 4)', ['Set of 4']],
    ['Forest (V.3)', []],
    ['Charizard (4/102)', []],
    ['Nami (OP01-016_p1)', []],
  ])('%p has the additions %p', (cell, expected) => {
    expect([...new Set(listRowNames(cell).flatMap(listDroppedWords))].sort()).toEqual(expected)
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
