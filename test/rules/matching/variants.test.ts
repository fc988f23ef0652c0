import { describe, expect, test } from 'bun:test'
import {
  hasFinishAddition,
  listProductWords,
  listVariantWords,
  measureVariant,
  removeVariantWords,
} from '#rules/matching/variants.ts'

test.each([
  ['Master Ball', ['master', 'ball']],
  ['Poké Ball Holo', ['poke', 'ball']],
  ['1st Edition', ['1stedition']],
  ['First Edition Holofoil', ['1stedition']],
  ['[1st Place]', ['1st', 'place']],
  ['Alternate Art', ['parallel']],
  ['Alt Full Art', ['parallel', 'full']],
  ['Play! Pokémon', ['prize']],
  ['Staff Stamped', ['staff', 'stamp']],
  ['Etched Foil', ['etched']],
  ['Reverse Holofoil', []],
  ['Unlimited', []],
  ['Non-Foil', []],
  ['TRUE', []],
  ['x', []],
  ['', []],
])('%p names a variant by the words %p', (label, words) => {
  expect(listVariantWords(label)).toEqual(words)
})

const EEVEE = {
  name: 'Eevee (Master Ball Pattern)',
  number: '074/131',
  rarity: 'Common',
  set_name: 'SV: Prismatic Evolutions',
  set_code: 'PRE',
  printings: ['Holofoil'],
}

describe('a product', () => {
  const measure = (label: string, product: Partial<typeof EEVEE>, isInSet = false) =>
    measureVariant(listVariantWords(label), listProductWords({ ...EEVEE, ...product }), isInSet)

  test.each([
    ['Master Ball', {}, 0],
    ['Poke Ball', {}, undefined],
    ['Staff', { name: 'Altaria - BW48 (Prerelease) [Staff]' }, 1],
    ['Prerelease Staff', { name: 'Altaria - BW48 (Prerelease) [Staff]' }, 0],
    ['Prerelease', { name: 'Altaria - BW48 (Prerelease)' }, 0],
    ['Pokemon League Stamp', { name: 'Volcanion - 25/114 (Pokemon League)' }, 0.5],
    ['Stamped', { name: 'Detective Pikachu - SM170 (Stamped)' }, 0],
    ['Stamped', { name: 'Detective Pikachu - SM170' }, undefined],
    ['Parallel', { name: 'Nami', number: 'OP01-016_p1' }, 0],
    ['Parallel', { name: 'Nami', number: 'OP01-016' }, undefined],
    ['Alternate Art', { name: 'Agumon (Alternate Art)', number: 'BT1-010' }, 0],
    ['Reprint', { name: 'Nami', number: 'OP01-016_r1' }, 0],
    ['Prerelease', { name: 'Karn, Scion of Urza', number: '1s' }, 0],
    ['Promo Pack', { name: 'Karn, Scion of Urza', number: '1p' }, 0],
    ['Enchanted', { name: 'Elsa - Spirit of Winter', rarity: 'enchanted' }, 0],
    ['Etched Foil', { name: 'Elsa - Spirit of Winter', rarity: 'enchanted' }, 0],
    ['1st Edition', { name: 'Charizard', printings: ['1st Edition Holofoil'] }, 0],
    ['1st Edition Shadowless', { name: 'Charizard', set_name: 'Base Set (Shadowless)' }, undefined],
    ['Shadowless', { name: 'Charizard', set_name: 'Base Set (Shadowless)' }, 0],
    ['1st Edition', { name: 'Victory Cup [1st Place]' }, undefined],
  ])('fits %p by its own words: %p, %p others', (label, product, others) => {
    expect(measure(label, product)).toBe(others)
  })

  test('does not have the words of the set that the row names', () => {
    const plain = { name: 'Flareon ex - 014/131' }
    expect(measure('Prismatic Evolutions Stamp', plain)).toBe(0.5)
    expect(measure('Prismatic Evolutions Stamp', plain, true)).toBeUndefined()
  })

  test.each([
    ['Holo', 'Blaziken (Holo)', true],
    ['Holofoil', 'Blaziken (Holo)', true],
    ['Non-Holo', 'Ditto - 132/165 (Non-Holo)', true],
    ['Holo', 'Ditto - 132/165 (Non-Holo)', false],
    ['Holo', 'Bill - 78/146 (Cosmos Holo)', false],
  ])('of the finish %p is %p: %p', (label, name, has) => {
    expect(hasFinishAddition(label, { name })).toBe(has)
  })
})

test.each([
  ['Master Ball', ''],
  ['Master Ball Holo', 'holo'],
  ['Master Ball Reverse Holo', ''],
  ['Reverse Holo', 'Reverse Holo'],
  ['1st Edition Master Ball', '1stedition'],
])('%p leaves %p to the printings of the product', (label, rest) => {
  expect(removeVariantWords(label, EEVEE)).toBe(rest)
})
