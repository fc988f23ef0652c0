import { expect, test } from 'bun:test'
import { listColumnUses, listImportUses } from '#rules/matching/column-uses.ts'

const usesOf = (header: string, list = listColumnUses) =>
  Object.fromEntries(list(header.split(',')).map(({ header: name, use }) => [name, use]))

test('the columns of a file are listed with the field that each was read as', () => {
  expect(usesOf('Name,Set,Normal,Foil,Rarity,Proxy,Purchase Price')).toEqual({
    Name: 'name',
    Set: 'set_name',
    Normal: 'quantity',
    Foil: 'quantity',
    Rarity: null,
    Proxy: 'ownership',
    'Purchase Price': null,
  })
})

test('an import also reads facts about copies', () => {
  const header = 'idProduct,groupCount,price,idLanguage,condition,isFoil'
  expect(usesOf(header, listImportUses)).toEqual({
    idProduct: 'cardmarket_id',
    groupCount: 'quantity',
    price: null,
    idLanguage: 'language',
    condition: 'condition',
    isFoil: 'printing',
  })
})

test('a column that looks like a quantity is named, unless its copies are traded', () => {
  expect(usesOf('Quantity,Shelf Qty,Tradelist Count,Name')).toEqual({
    Quantity: 'quantity',
    'Shelf Qty': 'unknown_quantity',
    'Tradelist Count': null,
    Name: 'name',
  })
})

test('a header without an end is cut off', () => {
  const uses = listColumnUses(['Name', ...Array.from({ length: 500 }, () => 'x'.repeat(5_000))])
  expect([uses.length, uses[1]?.header.length]).toEqual([100, 60])
})
