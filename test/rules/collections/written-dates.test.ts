import { expect, test } from 'bun:test'
import { findDateOrder, parseDay } from '#rules/collections/written-dates.ts'
import { formatDate } from '#rules/primitives/days.ts'

const read = (text: string, order?: 'day_first' | 'month_first') => {
  const day = parseDay(text, order)
  return day === undefined ? undefined : formatDate(day)
}

test.each([
  ['2026-05-31', '2026-05-31'],
  ['2026-05-31T10:00:00Z', '2026-05-31'],
  ['2026-05-31T23:30:00-07:00', '2026-05-31'],
  ['2026-05-31 10:00:00.563000', '2026-05-31'],
  ['2026/05/31', '2026-05-31'],
  ['2026-5-3', '2026-05-03'],
  ['5/31/2026', '2026-05-31'],
  ['31/5/2026', '2026-05-31'],
  ['5/31/26', '2026-05-31'],
  ['31-05-2026 10:00', '2026-05-31'],
  ['3.5.2026', '2026-05-03'],
  ['31.05.26', '2026-05-31'],
  ['20260531', '2026-05-31'],
  ['May 31, 2026', '2026-05-31'],
  ['May 31 2026', '2026-05-31'],
  ['31 May 2026', '2026-05-31'],
  ['31-May-2026', '2026-05-31'],
  ['Sept 5th, 2026', '2026-09-05'],
  ['Fri May 15 2026 16:43:29 GMT+0200', '2026-05-15'],
  ['2026-02-30', undefined],
  ['13/13/2026', undefined],
  ['31 Foo 2026', undefined],
  ['20261331', undefined],
  ['12345', undefined],
  ['soon', undefined],
])('the date %p is %p', (text, date) => {
  expect(read(text)).toBe(date)
})

test.each([
  ['05/04/2026', '2026-05-04', '2026-04-05'],
  ['5-4-26', '2026-05-04', '2026-04-05'],
  ['5.4.2026', '2026-04-05', '2026-04-05'],
  ['31/5/2026', '2026-05-31', '2026-05-31'],
  ['5/31/2026', '2026-05-31', '2026-05-31'],
  ['2026-05-04', '2026-05-04', '2026-05-04'],
])('%p is %p if the month comes first in the file, and %p if the day does', (text, month, day) => {
  expect([read(text, 'month_first'), read(text, 'day_first')]).toEqual([month, day])
})

test.each([
  ['31/05/2026', 'day_first'],
  ['05/31/2026', 'month_first'],
  ['5.4.2026', 'day_first'],
  ['05/04/2026', 'either'],
  ['2026-05-31', undefined],
  ['', undefined],
])('%p shows the order %p', (text, order) => {
  expect(findDateOrder(text)).toBe(order as never)
})
