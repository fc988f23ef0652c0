// Verdicts about the parts of the service.
import { describe, expect, test } from 'bun:test'
import type { OperatorStatus } from '#client/endpoints.ts'
import { healthStatuses, healthSummary } from '../../../src/web/operations/health.ts'
import golden from '../../golden/operator-status.json'

const NOW = '2026-11-15T21:30:00.000Z'

/** A healthy service. */
const WELL = {
  // Literal types of the golden file are wider.
  ...(golden.body.data as unknown as OperatorStatus),
  now: NOW,
  sync: {
    upstream: 'mirror.example',
    is_replica: false,
    is_running: false,
    progress: null,
    last: null,
  },
  servers: null,
  jobs: [],
  reader: { workers: 2, state: 'ready', waiting: 0, reading: 0, replaced: 0, pictures: 95 },
  pictures: { is_enabled: true, cards: 100, waiting: 0, indexed: 95, ready_at: null },
  disk: { files: [{ name: 'catalog.db', bytes: 1_000 }], total_bytes: 1e12, free_bytes: 1e11 },
  backups: { newest_at: '2026-11-15T21:00:00.000Z', count: 3, bytes: 1_000 },
} as OperatorStatus

const summaryOf = (change: Partial<OperatorStatus>) =>
  healthSummary(healthStatuses({ ...WELL, ...change })).text

test('all is well only if nothing is wrong', () => {
  expect(summaryOf({})).toBe('All systems operational')
})

const SYNC = WELL.sync
const READER = WELL.reader
const PICTURES = WELL.pictures
const RATES = { newest_date: '2026-11-13', is_stale: false }
const SOURCE = {
  source: 'cardmarket',
  game: null,
  published_at: '2026-11-15T01:00:00.000Z',
  is_stale: false,
  last_error: null,
}

test('further sources and exchange rates are listed where there are any', () => {
  const listed = (change: Partial<OperatorStatus>) =>
    healthStatuses({ ...WELL, ...change }).map(({ name, text }) => `${name}: ${text}`)
  expect(listed({ sources: [SOURCE] })).toContain('Price sources: Cardmarket')
  expect(listed({ exchange_rates: RATES })).toContain('Exchange rates: Of Nov 13, 2026')
  expect(listed({}).join()).not.toMatch(/Price sources|Exchange rates/)
})

describe('problems are named', () => {
  test.each<[text: string, change: Partial<OperatorStatus>]>([
    ['Warnings: Mirror', { sync: { ...SYNC, upstream: null } }],
    ['Warnings: Prices', { games: [] }],
    ['Needs attention: Photo reader', { reader: { ...READER, state: 'not ready' } }],
    ['Warnings: Price sources', { sources: [{ ...SOURCE, is_stale: true, last_error: 'gone' }] }],
    ['Warnings: Exchange rates', { exchange_rates: { ...RATES, is_stale: true } }],
    ['Warnings: Exchange rates', { exchange_rates: { newest_date: null, is_stale: true } }],
    ['Warnings: Pictures', { pictures: { ...PICTURES, waiting: 1 } }],
    ['Warnings: Pictures', { pictures: { ...PICTURES, indexed: 89 } }],
    ['Warnings: Pictures', { pictures: { ...PICTURES, is_enabled: false } }],
    ['Needs attention: Disk', { disk: { files: [], total_bytes: 1, free_bytes: 1 } }],
    ['Warnings: Backups', { backups: null }],
    ['Warnings: Backups', { backups: { newest_at: null, count: 0, bytes: 0 } }],
    [
      'Needs attention: Backups',
      { backups: { newest_at: '2026-11-15T19:00:00.000Z', count: 1, bytes: 1 } },
    ],
  ])('%s', (text, change) => {
    expect(summaryOf(change)).toBe(text)
  })
})

test('a replica needs no mirror and no backups, and a server without photo reader no pictures', () => {
  expect(summaryOf({ sync: { ...SYNC, upstream: null, is_replica: true }, backups: null })).toBe(
    'All systems operational',
  )
  const off = { ...READER, state: 'off' } as const
  expect(summaryOf({ reader: off, pictures: { ...PICTURES, waiting: 100, indexed: 0 } })).toBe(
    'All systems operational',
  )
})
