import { COLLECTION_FORMATS } from '#rules/collections/export-columns.ts'
import { COLLECTION_KINDS, ITEM_SORTS } from '#rules/collections/list-kinds.ts'
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

const AT = '/v1/collections/{id}'
const ITEM_ID = { ...ID, item_id: 'string' } as const

/** Members of an item that a request can set. */
const FACTS = {
  ...COPIES,
  price_paid: ['number', 'null'],
  acquired_on: ['string', 'null'],
  place: ['string', 'null'],
  note: ['string', 'null'],
  target_price: ['number', 'null'],
} as const

/** Values that no member of an item can have. */
const BAD_FACTS = [
  ['printing', ''],
  ['printing', 'Gold'],
  ['condition', null],
  ['condition', 'good'],
  ['grade', 'x'.repeat(41)],
  ['language', 'English'],
  ['quantity', 0],
  ['quantity', -1],
  ['quantity', 1.5],
  ['quantity', 100_001],
  ['quantity', '2'],
  ['price_paid', -0.01],
  ['price_paid', 1_000_000.01],
  ['price_paid', 0.001],
  ['price_paid', 1e300],
  ['price_paid', '1'],
  ['acquired_on', '2026-02-30'],
  ['acquired_on', '1989-12-31'],
  ['acquired_on', '2026-12-01'],
  ['acquired_on', 'today'],
  ['place', LONG],
  ['place', 'a\nb'],
  ['note', 'x'.repeat(1_001)],
  ['note', 7],
  ['target_price', -1],
] as const

export const COLLECTION_ENDPOINTS: readonly OwnedEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/collections',
    access: 'key or session',
    parameters: {},
    body: { name: 'string', kind: COLLECTION_KINDS },
    bodyRequired: ['name'],
    status: 201,
    refusals: [409],
    sample: { path: '/v1/collections', json: { name: 'Binder', kind: 'owned' } },
    malformed: [
      { json: {}, names: 'name' },
      { json: { name: '' }, names: 'name' },
      { json: { name: LONG }, names: 'name' },
      { json: { name: 'a\u0000b' }, names: 'name' },
      { json: { name: 'Binder', kind: 'lost' }, names: 'kind' },
    ].map((call) => ({ path: '/v1/collections', ...call })),
    golden: 'new-collection',
  },
  {
    method: 'GET',
    path: '/v1/collections',
    access: 'key or session',
    parameters: { ...CURRENCY, page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/collections' },
    malformed: [
      { path: '/v1/collections?currency=XAU', names: 'currency' },
      { path: '/v1/collections?page=0', names: 'page' },
    ],
    golden: 'collections',
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
    golden: 'collection',
  },
  {
    method: 'PATCH',
    path: AT,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { name: 'string', revision: 'integer' },
    bodyRequired: ['name'],
    status: 200,
    refusals: [404, 409],
    sample: { path: AT, json: { name: 'Trades', revision: 1 } },
    malformed: [
      { json: {}, names: 'name' },
      { json: { name: LONG }, names: 'name' },
      { json: { name: 'Trades', revision: 0 }, names: 'revision' },
      { json: { name: 'Trades', revision: '1' }, names: 'revision' },
    ].map((call) => ({ path: AT, ...call })),
    golden: 'changed-collection',
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
    golden: 'deleted-collection',
  },
  {
    method: 'GET',
    path: `${AT}/items`,
    access: 'key or session',
    parameters: {
      ...ID,
      game: 'string',
      set_id: 'integer',
      sort: ITEM_SORTS,
      ...PAGING,
      ...CURRENCY,
    },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/items?sort=value_desc&game=perihelion-drift` },
    malformed: [
      ...withBadIds(`${AT}/items`),
      { path: `${AT}/items?sort=price`, names: 'sort' },
      { path: `${AT}/items?set_id=first`, names: 'set_id' },
      { path: `${AT}/items?page=0`, names: 'page' },
    ],
    golden: 'collection-items',
  },
  {
    method: 'POST',
    path: `${AT}/items`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    body: { items: 'array' },
    bodyRequired: ['items'],
    status: 201,
    refusals: [404, 409],
    sample: {
      path: `${AT}/items`,
      json: {
        items: [{ card_id: 900402, condition: 'lightly_played', quantity: 2, price_paid: 0.5 }],
      },
    },
    malformed: [
      { json: {}, names: 'items' },
      { json: { items: [] }, names: 'items' },
      { json: { items: [{ quantity: 1 }] }, names: 'card_id' },
      ...BAD_FACTS.map(([name, value]) => {
        return { json: { items: [{ card_id: 900402, [name]: value }] }, names: name }
      }),
    ].map((call) => ({ path: `${AT}/items`, ...call })),
    golden: 'new-collection-items',
  },
  {
    method: 'PATCH',
    path: `${AT}/items/{item_id}`,
    access: 'key or session',
    parameters: ITEM_ID,
    required: ['id', 'item_id'],
    body: { ...FACTS, revision: 'integer' },
    needsOne: true,
    status: 200,
    refusals: [404, 409],
    sample: {
      path: `${AT}/items/{item_id}`,
      json: { revision: 1, quantity: 4, note: 'Signed', price_paid: null, grade: 'PSA 10' },
    },
    malformed: [
      { json: {}, names: 'revision' },
      { json: { revision: 1.5 }, names: 'revision' },
      ...BAD_FACTS.map(([name, value]) => ({ json: { [name]: value }, names: name })),
    ].map((call) => ({ path: `${AT}/items/{item_id}`, ...call })),
    golden: 'changed-collection-item',
  },
  {
    method: 'DELETE',
    path: `${AT}/items/{item_id}`,
    access: 'key or session',
    parameters: { ...ITEM_ID, revision: 'integer' },
    required: ['id', 'item_id'],
    status: 200,
    refusals: [404, 409],
    sample: { path: `${AT}/items/{item_id}?revision=1` },
    malformed: [
      { path: `${AT}/items/{item_id}?revision=0`, names: 'revision' },
      { path: `${AT}/items/${LONG}`, names: 'item_id' },
    ],
    golden: 'deleted-collection-item',
  },
  {
    method: 'POST',
    path: `${AT}/import`,
    access: 'key or session',
    parameters: { ...ID, game: 'string', again: ['true', 'false'] },
    required: ['id'],
    body: 'file',
    status: 200,
    refusals: [404, 429],
    sample: {
      path: `${AT}/import?game=wickerwild`,
      csv: 'Quantity,Name,Condition,Price Paid\n2,Cindle,Lightly Played,0.50\n1,Nobody,NM,\n',
    },
    malformed: [
      { path: `${AT}/import?again=yes`, csv: 'Name\nCindle\n', names: 'again' },
      { path: `${AT}/import?game=${LONG}`, csv: 'Name\nCindle\n', names: 'game' },
    ],
    golden: 'collection-import',
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
    golden: 'collection-export',
  },
  {
    method: 'GET',
    path: '/v1/collections/export',
    access: 'key or session',
    parameters: {},
    answers: ['text/csv'],
    status: 200,
    refusals: [],
    sample: { path: '/v1/collections/export' },
    malformed: [],
    golden: 'collections-export',
  },
  {
    method: 'GET',
    path: `${AT}/summary`,
    access: 'key or session',
    parameters: { ...ID, ...CURRENCY },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/summary` },
    malformed: [
      ...withBadIds(`${AT}/summary`),
      { path: `${AT}/summary?currency=XAU`, names: 'currency' },
    ],
    golden: 'collection-summary',
  },
  {
    method: 'GET',
    path: `${AT}/history`,
    access: 'key or session',
    parameters: { ...ID, range: ['month', 'quarter', 'year', 'all'], ...CURRENCY },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/history?range=month` },
    malformed: [
      { path: `${AT}/history?range=week`, names: 'range' },
      { path: `${AT}/history?currency=XAU`, names: 'currency' },
    ],
    golden: 'collection-history',
  },
  {
    method: 'GET',
    path: `${AT}/completion`,
    access: 'key or session',
    parameters: { ...ID, ...PAGING, ...CURRENCY },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/completion` },
    malformed: [
      { path: `${AT}/completion?per_page=0`, names: 'per_page' },
      { path: `${AT}/completion?currency=XAU`, names: 'currency' },
    ],
    golden: 'collection-completion',
  },
  {
    method: 'POST',
    path: `${AT}/share`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 201,
    refusals: [404],
    sample: { path: `${AT}/share` },
    malformed: withBadIds(`${AT}/share`),
    golden: 'collection-share',
  },
  {
    method: 'DELETE',
    path: `${AT}/share`,
    access: 'key or session',
    parameters: ID,
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: `${AT}/share` },
    malformed: withBadIds(`${AT}/share`),
    golden: 'ended-share',
  },
]

/** A collection with one item, and the token of its link. */
export type HeldCollection = { id: string; item_id: string; token: string }

/** Creates a shared collection with one item. The session outlives keys that tests delete. */
export async function createHeldCollection(
  testApp: Pick<TestApp, 'client' | 'createSession'>,
  account: TestAccount,
): Promise<HeldCollection> {
  const { client } = testApp
  const by = { session: await testApp.createSession(account) }
  const created = await client.post<{ id: string }>('/v1/collections', { name: 'Box' }, by)
  const { id } = created.body.data
  const item = { card_id: 900401, price_paid: 12.5, acquired_on: '2026-10-20', note: 'My own' }
  const items = { items: [{ ...item, place: 'Shelf', quantity: 2 }] }
  const added = await client.post<{ id: string }[]>(`/v1/collections/${id}/items`, items, by)
  const shared = await client.post<{ token: string }>(`/v1/collections/${id}/share`, undefined, by)
  return { id, item_id: added.body.data[0]?.id ?? '', token: shared.body.data.token }
}
