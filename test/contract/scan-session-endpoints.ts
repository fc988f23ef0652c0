import { COLLECTION_FORMATS } from '#rules/collections/export-columns.ts'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import type { TestAccount, TestApp } from '../support/test-app.ts'
import {
  COPIES,
  CURRENCY,
  ID,
  LONG,
  type OwnedEndpoint,
  PAGING,
  withBadIds,
} from './owned-endpoints.ts'

const AT = '/v1/scan-sessions/{id}'
const ITEM_ID = { ...ID, item: 'string' } as const
const UUID = '11111111-2222-4333-8444-555555555555'
const BAD_UUIDS = ['', 'box', UUID.toUpperCase().replace('5', 'A'), `${UUID}0`, 7]

const PHOTO_OPTIONS = {
  page: ['true', 'false'],
  game: 'string',
  max_scans: 'integer',
  ...CURRENCY,
} as const

const IMAGE = { json: { image: PHOTO.jpeg.toBase64() } }

/** Endpoints of scan sessions, which a key or a session may call. `{id}` and `{item}` stand for those of the caller. */
export const SCAN_SESSION_ENDPOINTS: readonly OwnedEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/scan-sessions',
    access: 'key or session',
    parameters: {},
    body: { name: 'string', id: 'string' },
    status: 201,
    refusals: [404, 409],
    sample: { path: '/v1/scan-sessions', json: { name: 'Pile', id: UUID } },
    malformed: [
      { json: { name: '' }, names: 'name' },
      { json: { name: LONG }, names: 'name' },
      { json: { name: 'a\u0000b' }, names: 'name' },
      ...BAD_UUIDS.map((id) => ({ json: { id }, names: 'id' })),
    ].map((call) => ({ path: '/v1/scan-sessions', ...call })),
    golden: 'new-scan-session',
  },
  {
    method: 'GET',
    path: '/v1/scan-sessions',
    access: 'key or session',
    parameters: PAGING,
    status: 200,
    refusals: [],
    sample: { path: '/v1/scan-sessions' },
    malformed: [{ path: '/v1/scan-sessions?page=0', names: 'page' }],
    golden: 'scan-sessions',
  },
  {
    method: 'GET',
    path: AT,
    access: 'key or session',
    parameters: { ...ID, ...CURRENCY },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: AT },
    malformed: [...withBadIds(AT), { path: `${AT}?currency=XAU`, names: 'currency' }],
    golden: 'scan-session',
  },
  {
    method: 'PATCH',
    path: AT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { name: 'string' },
    bodyRequired: ['name'],
    status: 200,
    refusals: [404],
    sample: { path: AT, json: { name: 'Trades' } },
    malformed: [
      { path: AT, json: {}, names: 'name' },
      { path: AT, json: { name: LONG }, names: 'name' },
    ],
    golden: 'changed-scan-session',
  },
  {
    method: 'DELETE',
    path: AT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: AT },
    malformed: withBadIds(AT),
    golden: 'deleted-scan-session',
  },
  {
    method: 'POST',
    path: `${AT}/photos/{photo}`,
    access: 'key or session',
    parameters: { ...ID, photo: 'string', ...PHOTO_OPTIONS },
    required: ['id', 'photo'],
    body: 'photo',
    status: 200,
    refusals: [402, 404, 409, 429],
    sample: { path: `${AT}/photos/second?page=true&max_scans=9`, ...IMAGE },
    malformed: [
      { path: `${AT}/photos/${'x'.repeat(65)}`, ...IMAGE, names: 'photo' },
      { path: `${AT}/photos/a.b`, ...IMAGE, names: 'photo' },
      { path: `${AT}/photos/a%20b`, ...IMAGE, names: 'photo' },
      { path: `${AT}/photos/new?page=yes`, ...IMAGE, names: 'page' },
      { path: `${AT}/photos/new?max_scans=0`, ...IMAGE, names: 'max_scans' },
      { path: `${AT}/photos/new?max_scans=37`, ...IMAGE, names: 'max_scans' },
      { path: `${AT}/photos/new?currency=XAU`, ...IMAGE, names: 'currency' },
      { path: `${AT}/photos/new?game=${LONG}`, ...IMAGE, names: 'game' },
      { path: `${AT}/photos/new`, json: { image: '' }, names: 'image' },
    ],
    golden: 'scan-session-photo',
  },
  {
    method: 'GET',
    path: `${AT}/items`,
    access: 'key or session',
    parameters: { ...ID, review: ['open', 'done'], ...PAGING, ...CURRENCY },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/items?review=done` },
    malformed: [
      ...withBadIds(`${AT}/items`),
      { path: `${AT}/items?review=all`, names: 'review' },
      { path: `${AT}/items?page=0`, names: 'page' },
      { path: `${AT}/items?currency=XAU`, names: 'currency' },
    ],
    golden: 'scan-session-items',
  },
  {
    method: 'PATCH',
    path: `${AT}/items/{item}`,
    access: 'key or session',
    parameters: ITEM_ID,
    required: ['id', 'item'],
    body: {
      card_id: 'integer',
      ...COPIES,
      is_reviewed: 'boolean',
      revision: 'integer',
    },
    needsOne: true,
    status: 200,
    refusals: [404, 409],
    sample: {
      path: `${AT}/items/{item}`,
      json: { revision: 1, card_id: 900402, quantity: 2, condition: 'lightly_played' },
    },
    malformed: [
      ['card_id', 0],
      ['card_id', null],
      ['card_id', '900402'],
      ['printing', 'Gold'],
      ['quantity', 0],
      ['quantity', 100_001],
      ['condition', 'good'],
      ['language', 'English'],
      ['grade', 'x'.repeat(41)],
      ['is_reviewed', 1],
      ['revision', 0],
    ].map(([name, value]) => ({
      path: `${AT}/items/{item}`,
      json: { [String(name)]: value },
      names: String(name),
    })),
    golden: 'changed-scan-session-item',
  },
  {
    method: 'DELETE',
    path: `${AT}/items/{item}`,
    access: 'key or session',
    parameters: { ...ITEM_ID, revision: 'integer' },
    required: ['id', 'item'],
    status: 200,
    refusals: [404, 409],
    sample: { path: `${AT}/items/{item}?revision=1` },
    malformed: [
      { path: `${AT}/items/{item}?revision=0`, names: 'revision' },
      { path: `${AT}/items/${LONG}`, names: 'item' },
    ],
    golden: 'deleted-scan-session-item',
  },
  {
    method: 'POST',
    path: `${AT}/items/{item}/duplicate`,
    access: 'key or session',
    parameters: ITEM_ID,
    required: ['id', 'item'],
    body: { id: 'string' },
    status: 201,
    refusals: [404, 409],
    sample: { path: `${AT}/items/{item}/duplicate`, json: { id: UUID } },
    malformed: BAD_UUIDS.map((id) => ({
      path: `${AT}/items/{item}/duplicate`,
      json: { id },
      names: 'id',
    })),
    golden: 'duplicated-scan-session-item',
  },
  {
    method: 'GET',
    path: `${AT}/export`,
    access: 'key or session',
    parameters: { ...ID, format: COLLECTION_FORMATS },
    required: ['id'],
    answers: ['text/csv'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/export` },
    malformed: [{ path: `${AT}/export?format=xlsx`, names: 'format' }],
    golden: 'scan-session-export',
  },
  {
    method: 'POST',
    path: `${AT}/collect`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { collection_id: 'string' },
    bodyRequired: ['collection_id'],
    status: 200,
    refusals: [404, 409],
    sample: { path: `${AT}/collect`, json: { collection_id: '{collection}' } },
    malformed: [
      { path: `${AT}/collect`, json: {}, names: 'collection_id' },
      { path: `${AT}/collect`, json: { collection_id: LONG }, names: 'collection_id' },
    ],
    golden: 'collected-scan-session',
  },
]

/** A scan session with one item, and a collection. */
export type HeldScanSession = { id: string; item: string; collection: string }

/** Creates a scan session with one item, and a collection. */
export async function createHeldScanSession(
  { client }: Pick<TestApp, 'client'>,
  account: TestAccount,
): Promise<HeldScanSession> {
  const by = { as: account }
  const created = await client.post<{ id: string }>('/v1/scan-sessions', { name: 'Box' }, by)
  const { id } = created.body.data
  const path = `/v1/scan-sessions/${id}/photos/first`
  const added = await client.post<{ items: { id: string }[] }>(path, IMAGE.json, by)
  // A tier has few collections, so that later ones are refused.
  await client.post('/v1/collections', { name: 'Binder' }, by)
  const { body } = await client.get<{ id: string }[]>('/v1/collections', by)
  const collection = body.data.at(-1)?.id ?? ''
  return { id, item: added.body.data.items[0]?.id ?? '', collection }
}
