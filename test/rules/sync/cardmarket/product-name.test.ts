import { describe, expect, test } from 'bun:test'
import {
  parseCardName,
  parsePosition,
  parseProductName,
} from '#rules/sync/cardmarket/product-name.ts'

describe('a name', () => {
  test.each([
    ['Weedle [Multiply]', { key: 'weedle', attacks: ['multiply'] }],
    ['Pikachu [Gnaw | Thunder Jolt] (V.2)', { attacks: ['gnaw', 'thunderjolt'], version: 2 }],
    ['Unown [A] [Hidden Power]', { labels: ['a'], attacks: ['hiddenpower'], key: 'unown' }],
    ['Monkey.D.Luffy (OP01-003) (V.1)', { key: 'monkeydluffy', number: 'OP01-003', version: 1 }],
    ['Head Jab (Red)', { key: 'headjab', labels: ['red'] }],
    ['Nidoran♂', { key: 'nidoranm' }],
    ['Oak’s Letter & Co', { key: 'oaksletterandco' }],
  ])('of the product %p is taken apart', (name, parts) => {
    expect(parseProductName(name)).toMatchObject(parts as never)
  })

  test.each([
    ['Bidoof - 73/123', { key: 'bidoof', number: '73/123' }],
    ['Cinccino (88)', { key: 'cinccino', number: '88' }],
    ['Pikachu (Ivy)', { key: 'pikachu', labels: ['ivy'] }],
    ['Woody - Helping a Friend', { key: 'woodyhelpingafriend', number: null }],
    ['(Untitled)', { key: 'untitled', labels: [] }],
  ])('of the card %p is taken apart', (name, parts) => {
    expect(parseCardName(name)).toMatchObject(parts as never)
  })
})

test.each([
  ['139/195', { series: '', value: 139 }],
  ['SWSH172', { series: 'SWSH', value: 172 }],
  ['OP13-089_p1', { series: 'OP13-', value: 89.01 }],
  [null, undefined],
  ['Secret', undefined],
])('the number %p has a place', (number, place) => {
  expect(parsePosition(number)).toEqual(place as never)
})
