import { describe, expect, test } from 'bun:test'
import { findConditionScale, parseCondition } from '#rules/pricing/conditions.ts'
import { CONDITIONS } from '#rules/pricing/price-key.ts'

describe('a condition', () => {
  test.each([
    ['NM', 'near_mint'],
    ['Near Mint', 'near_mint'],
    ['near-mint', 'near_mint'],
    ['NM/M', 'near_mint'],
    ['Mint', 'near_mint'],
    ['LP', 'lightly_played'],
    ['Lightly Played', 'lightly_played'],
    ['Slightly Played', 'lightly_played'],
    ['MP', 'moderately_played'],
    ['Moderately Played', 'moderately_played'],
    ['HP', 'heavily_played'],
    ['Heavily Played', 'heavily_played'],
    ['DMG', 'damaged'],
    ['Damaged', 'damaged'],
    ['Sealed', 'unopened'],
  ] as const)('%s is %s', (text, condition) => {
    expect(parseCondition(text, 'american')).toEqual({ condition, printing: null })
  })

  test.each([
    ['MT', 'near_mint'],
    ['NM', 'near_mint'],
    ['EX', 'lightly_played'],
    ['GD', 'moderately_played'],
    ['LP', 'moderately_played'],
    ['Light Played', 'moderately_played'],
    ['PL', 'heavily_played'],
    ['PO', 'damaged'],
    ['Poor', 'damaged'],
  ] as const)('of Cardmarket, %s is %s', (text, condition) => {
    expect(parseCondition(text, 'cardmarket')).toEqual({ condition, printing: null })
  })

  test.each([
    ['Near Mint Foil', 'near_mint', 'Foil'],
    ['Lightly Played 1st Edition', 'lightly_played', '1st Edition'],
    ['NM Reverse Holofoil', 'near_mint', 'Reverse Holofoil'],
  ] as const)('with a printing, %s, has both', (text, condition, printing) => {
    expect(parseCondition(text, 'american')).toEqual({ condition, printing })
  })

  test.each(['', 'wow', 'PSA 10', '9'])('%p is refused', (text) => {
    expect(parseCondition(text, 'american')).toBeUndefined()
  })

  test.each([...CONDITIONS])('%s is understood as the API writes it', (condition) => {
    expect(parseCondition(condition, 'cardmarket')?.condition).toBe(condition)
  })
})

test.each([
  [['NM', 'LP', 'Moderately Played'], 'american'],
  [['NM', 'LP', 'EX'], 'cardmarket'],
  [['', 'Near Mint', 'Played'], 'cardmarket'],
  [[], 'american'],
] as const)('a list with the conditions %j has the scale %s', (conditions, scale) => {
  expect(findConditionScale(conditions)).toBe(scale)
})
