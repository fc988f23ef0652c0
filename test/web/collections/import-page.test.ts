// Texts of the page of an import.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CollectionImport } from '#client/endpoints.ts'
import { describeNews } from '#web/collections/imports/import-news.ts'
import {
  columnsText,
  noteText,
  placesText,
  sumTotals,
} from '#web/collections/imports/import-text.ts'
import { FILE_APPS, LIST_APPS } from '#web/collections/known-apps.ts'

const GUIDE = readFileSync(
  join(import.meta.dir, '../../../docs/guides/matching/collection-files.md'),
  'utf8',
)

describe('known apps', () => {
  const sentenceOf = (pattern: RegExp) => pattern.exec(GUIDE)?.[0].replaceAll("'", '’') ?? ''
  test.each([
    ['files', FILE_APPS, sentenceOf(/Exports of these apps work\s[\s\S]*?Dreamborn\./)],
    ['lists', LIST_APPS, sentenceOf(/Exports of MTG Arena,[\s\S]*?work unchanged/)],
  ])('of %s are in the guide', (_, apps, sentence) => {
    expect(sentence).not.toBe('')
    expect(apps.filter((app) => !sentence.includes(app))).toEqual([])
  })
})

test.each([
  [2, 0, '“Box”'],
  [0, 0, '“Box”'],
  [2, 1, '“Box” and your wish list'],
  [0, 1, 'your wish list'],
])('an import of %i owned and %i other items is undone in %s', (imported, unowned, places) => {
  expect(placesText({ collection_name: 'Box', imported, unowned })).toBe(places)
})

test('every note and reason of the guide has words', () => {
  const names = [...GUIDE.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)]
    .flatMap(([, cells = '']) => cells.split(', '))
    .map((cell) => cell.slice(1, -1))
    .filter((name) => name.includes('_') || name === 'proxy')
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => noteText(name) === name.replaceAll('_', ' '))).toEqual([])
})

test('columns are counted by use', () => {
  const columns = [
    { header: 'Name', use: 'name' },
    { header: 'Qty', use: 'unknown_quantity' },
    { header: 'Shelf', use: null },
  ]
  expect(columnsText(columns)).toBe('1 column used, 2 not used')
  expect(columnsText(columns.slice(0, 1))).toBe('1 column used')
})

type Totals = CollectionImport['totals'][number]

const totals = (kind: Totals['kind'], sums: Partial<Totals>): Totals => ({
  kind,
  rows: 10,
  accepted: 0,
  unowned: 0,
  skipped: 0,
  value: 0,
  accepted_value: 0,
  ...sums,
})

test('totals of an import are the sums of its kinds', () => {
  const sums = [
    totals('guessed', { accepted: 2, skipped: 3, accepted_value: 1.5 }),
    totals('certain', { accepted: 10, unowned: 4, accepted_value: 20 }),
  ]
  expect(sumTotals({ totals: sums })).toEqual({ accepted: 12, unowned: 4, open: 5, value: 21.5 })
})

test('news name the sums and the rows that another tab has changed', () => {
  const row = {
    id: 'guessed-1',
    row: 17,
    kind: 'guessed',
    state: 'open',
    is_changed: false,
    text: '2 Cindle',
    reason: null,
    notes: [],
    card: {
      card_id: 1,
      name: 'Cindle',
      number: '1',
      set_name: 'Tidepool Parade',
      image_url: null,
    },
    printing: 'Normal',
    printings: [],
    condition: 'near_mint',
    grade: null,
    language: null,
    quantity: 2,
    market_price: 1,
    value: 2,
    alternatives: [],
  } satisfies CollectionImport['entries'][number]
  const known = (state: 'open' | 'skipped', skipped: number) => ({
    newest: { totals: [totals('guessed', { skipped })] } as CollectionImport,
    rows: new Map([
      [row.id, { ...row, state }],
      ['guessed-2', { ...row, id: 'guessed-2' }],
    ]),
  })
  expect(describeNews(known('open', 0), known('skipped', 1))).toEqual([
    'Guessed: now 0 rows accepted and 1 skipped (before 0 and 0)',
    'Row 17: Cindle, Tidepool Parade, 2 × Normal · Near mint, skipped',
  ])
})
