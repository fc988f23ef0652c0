import { expect, test } from 'bun:test'
import type { CollectionItem } from '../../../../src/client/endpoints.ts'
import { EMPTY_SELECTION, reduceSelection } from '../../../../src/web/collections/many/selection.ts'

// The selection reads the id and the revision alone.
const item = (id: string, revision = 1) => ({ id, revision }) as CollectionItem
const listed = ['a', 'b', 'c', 'd'].map((id) => item(id))
const [a = item('a'), b = item('b'), c = item('c'), d = item('d')] = listed

type Event = Parameters<typeof reduceSelection>[1]

const after = (...events: Event[]) => events.reduce(reduceSelection, EMPTY_SELECTION)
const click = (one: CollectionItem, isRange = false): Event => ({
  type: 'toggle',
  item: one,
  listed,
  isRange,
})
const idsOf = ({ items }: typeof EMPTY_SELECTION) => [...items.keys()]

test('a click selects an item or deselects it, and a range in either direction', () => {
  expect(idsOf(after(click(b)))).toEqual(['b'])
  expect(idsOf(after(click(b), click(b)))).toEqual([])
  expect(idsOf(after(click(d), click(b, true))).toSorted()).toEqual(['b', 'c', 'd'])
  expect(idsOf(after(click(a), click(d, true), click(c), click(b, true)))).toEqual(['a', 'd'])
  expect(idsOf(after(click(c, true)))).toEqual(['c'])
})

test('items that come late keep what was selected and deselected in the meantime', () => {
  const since = after(click(a), click(b))
  const now = [click(b), click(d)].reduce(reduceSelection, since)
  const late = reduceSelection(now, { type: 'add', items: [a, b, c], since })
  expect(idsOf(late)).toEqual(['a', 'd', 'c'])
})

test('items that come after the selection was cleared are not selected', () => {
  const since = after(click(a))
  const cleared = reduceSelection(since, { type: 'clear' })
  expect(idsOf(reduceSelection(cleared, { type: 'add', items: listed, since }))).toEqual([])
  expect(idsOf(reduceSelection(cleared, { type: 'add', items: [b] }))).toEqual(['b'])
})

test('a selected item is as the newest list shows it, and a list selects nothing', () => {
  const start = after(click(item('a', 2)))
  const revisionOf = (...items: CollectionItem[]) =>
    reduceSelection(start, { type: 'refresh', items }).items.get('a')?.revision
  expect(revisionOf(item('a', 3), b)).toBe(3)
  expect(revisionOf(item('a', 1))).toBe(2)
  expect(idsOf(reduceSelection(start, { type: 'refresh', items: listed }))).toEqual(['a'])
  expect(reduceSelection(start, { type: 'refresh', items: listed })).toBe(start)
  expect(reduceSelection(start, { type: 'add', items: [item('a', 1)] })).toBe(start)
})
