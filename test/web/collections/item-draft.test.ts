import { describe, expect, test } from 'bun:test'
import type { CollectionItem } from '#client/endpoints.ts'
import {
  changesOf,
  commonChangesOf,
  draftErrors,
  draftOf,
  emptyDraft,
  newDraft,
} from '../../../src/web/collections/item-draft.ts'

const ITEM = {
  printing: 'Foil',
  condition: 'near_mint',
  grade: null,
  language: 'en',
  quantity: 2,
  price_paid: 12.5,
  target_price: null,
  acquired_on: '2026-10-20',
  place: 'Shelf',
  note: null,
} as CollectionItem

describe('the draft of an item', () => {
  const before = draftOf(ITEM)

  test('changes nothing while nothing is typed', () => {
    expect(changesOf(before, before)).toEqual({})
    expect(changesOf({ ...before, place: ' Shelf ' }, before)).toEqual({})
  })

  test('sends the members that were changed, and null for those that were emptied', () => {
    const draft = { ...before, quantity: '3', price_paid: '', place: '', note: 'Signed' }
    expect(changesOf(draft, before)).toEqual({
      quantity: 3,
      price_paid: null,
      place: null,
      note: 'Signed',
    })
  })

  test('reads amounts as people write them', () => {
    const paid = (price_paid: string) => changesOf({ ...before, price_paid }, before).price_paid
    expect(['$1,234.50', '7,25', '0', ' 3 '].map(paid)).toEqual([1_234.5, 7.25, 0, 3])
  })

  test('of a new item has one copy, and sends what is chosen', () => {
    expect(changesOf(newDraft('Foil', false), emptyDraft())).toEqual({
      printing: 'Foil',
      condition: 'near_mint',
      quantity: 1,
    })
    expect(changesOf(newDraft(undefined, true), emptyDraft())).toEqual({
      condition: 'unopened',
      quantity: 1,
    })
  })

  test('names the fields that the API would refuse', () => {
    expect(draftErrors(before)).toEqual({})
    const draft = { ...before, quantity: '0', price_paid: '-1', target_price: 'much' }
    expect(Object.keys(draftErrors(draft))).toEqual(['quantity', 'price_paid', 'target_price'])
    expect(Object.keys(draftErrors({ ...before, quantity: '1.5' }))).toEqual(['quantity'])
  })
})

test('a price for many items always has its currency, and a currency alone changes none', () => {
  const draft = emptyDraft()
  expect(commonChangesOf({ ...draft, price_paid: '10' })).toEqual({
    price_paid: 10,
    paid_currency: 'USD',
  })
  expect(commonChangesOf({ ...draft, price_paid: '10', paid_currency: 'JPY' })).toEqual({
    price_paid: 10,
    paid_currency: 'JPY',
  })
  expect(commonChangesOf({ ...draft, paid_currency: 'EUR' })).toEqual({})
  expect(commonChangesOf({ ...draft, place: 'Box 7', paid_currency: 'EUR' })).toEqual({
    place: 'Box 7',
  })
})
