/** Limits stated in the guides equal those of schemas and constants, and no other limit is stated. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { redeliveryLimits, webhookTestLimits } from '#actions/accounts/rate-limits.ts'
import { OWNED_COPIES_MAX } from '#actions/collections/list-owned-copies.ts'
import { readConfig } from '#config.ts'
import { CSV_MAX_BYTES } from '#http/input/csv-body.ts'
import { PAGE_MAX_BYTES, PHOTO_MAX_BYTES } from '#http/input/photo-body.ts'
import { ATTEMPT_TIMEOUT_MS } from '#outbound/webhooks/webhook-client.ts'
import { INVITATION_DAYS } from '#rules/accounts/invitations.ts'
import { RECENT_LOGIN_MS, SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '#rules/accounts/sessions.ts'
import { TIERS, tierLimits } from '#rules/accounts/tiers.ts'
import { PAGE_HISTORY_DAYS } from '#rules/accounts/visitors.ts'
import { CONSECUTIVE_FAILURES_MAX } from '#rules/alerts/retry-schedule.ts'
import { ROWS_A_PART } from '#rules/collections/file-import.ts'
import { BULK_IDS_MAX, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import { DELIVERY_RETENTION_MS } from '#rules/operations/retention.ts'
import { PAGE_READING_MS } from '#rules/photos/deadlines.ts'
import { PAGE_CARDS_MAX } from '#rules/photos/page-cut.ts'
import { PAGE_CREDIT_MS, SCAN_HOLD_MS, TRIAL_SCANS } from '#rules/photos/scans.ts'
import {
  SCAN_SESSION_MS,
  SCAN_SESSIONS_MAX,
  SESSION_ITEMS_MAX,
} from '#rules/photos/session-item.ts'
import { isSourceName } from '#rules/pricing/price-key.ts'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import { IDS_MAX } from '#store/ledger/collections/item-writer.ts'
import { OWNED_IDS_MAX } from '#store/ledger/collections/owned-copies.ts'
import {
  type ApiDocument,
  readDocument,
  resolveReference,
  withoutFences,
} from './support/operations/documents.ts'
import { createTestApp } from './support/test-app.ts'

let document: ApiDocument

beforeAll(async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  testApp.close()
  document = JSON.parse(text)
})

const ITEM = 'PATCH /v1/collections/{id}/items/{item_id}'
const DAY = 86_400_000
const LEASES = ['LEASE_REQUESTS', 'LEASE_REQUESTS_MAX'].map((name) =>
  constant('charge-quota', name),
)
const MB = 1024 * 1024
const limitsOf = (actions: { limit: { limit: number } }[]) =>
  actions.map(({ limit }) => limit.limit)

/** Statements of the guides by page; each # stands for a number, in digits or as a word. */
const STATEMENTS: Record<string, [statement: string, ...numbers: number[]][]> = {
  'accounts/keys': [
    ['An account can have up to # active keys', constant('manage-keys', 'ACTIVE_KEYS_MAX')],
    [
      'A session ends after # days, or after # days without use',
      SESSION_LIFETIME_MS / DAY,
      SESSION_IDLE_MS / DAY,
    ],
    ['without `--expires`, it is valid for # days', INVITATION_DAYS],
    ['The dashboard shows # days of history with every tier', PAGE_HISTORY_DAYS],
  ],
  'accounts/account': [['needs a login of the last # minutes', RECENT_LOGIN_MS / 60_000]],
  'search/search': [
    ['values above # return #', PER_PAGE_MAX, PER_PAGE_MAX],
    [
      'of more than # matches, they use the base printing',
      constant('search-store', 'PRINTING_CARDS_MAX'),
    ],
  ],
  'pricing/bulk': [
    ['`GET /v1/bulk/prices?ids=1,2,3` | Pro | # ids', BULK_IDS_MAX.prices],
    ['`GET /v1/bulk/cards?ids=…` | Pro | # ids', BULK_IDS_MAX.cards],
    ['(`strict`: Business) | # ids', BULK_IDS_MAX.history],
    [
      'Starter / Pro / Business | # / # / # items | # / # / # per item',
      ...['starter', 'pro', 'business'].flatMap(itemsOf),
      ...['starter', 'pro', 'business'].flatMap(costOf),
    ],
  ],
  'matching/collection-files': [
    ['A request has at most # MB', CSV_MAX_BYTES / MB],
    ['a whole number from 1 to #', 1_000_000],
  ],
  'collections/collections': [
    ['A request adds up to # items', IDS_MAX],
    ['changes up to # items, each', IDS_MAX],
    ['up to # MB, and finds cards', constant('collection-files', 'FILE_BYTES_MAX') / MB],
    ['Each part of # rows', ROWS_A_PART],
    ['number of the row, the first # of them', constant('store-part', 'PROBLEMS_KEPT')],
    ['quantity for up to # rows', constant('routes/collections/imports', 'ROWS_MAX')],
    ['The copies of up to # cards', OWNED_IDS_MAX],
    ['at most # entries are listed', OWNED_COPIES_MAX],
    ['Up to # items are valued with the request', constant('get-valuation', 'ITEMS_AT_ONCE')],
  ],
  'photos/identify': [
    ['JPEG, PNG or WebP of at most # MB', PHOTO_MAX_BYTES / MB],
    ['The first # are free', TRIAL_SCANS],
    ['scaled to at most # pixels', constant('image/decode', 'SIDE_MAX')],
    ['At most # megapixels are decoded in full', constant('image/decode', 'FULL_PIXELS_MAX') / 1e6],
    ['after # photos in # hours whose damage', constant('damaged-photos', 'DAMAGED_FREE'), 24],
  ],
  start: [['Each account has # free scans', TRIAL_SCANS]],
  'photos/pages': [
    ['send it here within # minutes', PAGE_CREDIT_MS / 60_000],
    ['Send one photo of up to # cards', PAGE_CARDS_MAX],
    ['JPEG, PNG or WebP, at most # MB', PAGE_MAX_BYTES / MB],
    ['At most # cards. Further ones', PAGE_CARDS_MAX],
    ['cut out at up to # pixels per millimeter', constant('cut-cards', 'PX_PER_MM_MAX')],
    ['# seconds had passed', PAGE_READING_MS / 1_000],
    ['refunded within # seconds', SCAN_HOLD_MS / 1_000],
  ],
  'photos/scan-page': [
    ['photograph one card at a time, at most # minutes before', PAGE_CREDIT_MS / 60_000],
  ],
  'photos/scanning': [
    ['up to # MB, and costs as much', PAGE_MAX_BYTES / MB],
    [
      'A session is kept for # days after its last change. An account has at most #, with # items each',
      SCAN_SESSION_MS / DAY,
      SCAN_SESSIONS_MAX,
      SESSION_ITEMS_MAX,
    ],
  ],
  'alerts/alerts': [
    ['have at most # characters, and contain no user', WEBHOOK_URL_CHARACTERS_MAX],
    ['An account can have # webhooks', constant('manage-rules', 'WEBHOOKS_MAX')],
    ['Respond with any 2xx status within # seconds', ATTEMPT_TIMEOUT_MS / 1_000],
    ['A webhook that has failed # times in a row', CONSECUTIVE_FAILURES_MAX],
    ['within the # days for which they are kept', DELIVERY_RETENTION_MS / DAY],
    [
      'An account can send # tests a minute and a # a day, two at once, and redeliver a # deliveries',
      ...limitsOf(webhookTestLimits(1)),
      ...limitsOf(redeliveryLimits(1)),
    ],
  ],
  'alerts/watching': [
    ['Notifications are deleted after # days', DELIVERY_RETENTION_MS / DAY],
    [
      'Free accounts have # channels, Hobby #, Starter #, Pro # and Business #',
      ...TIERS.map((tier) => tierLimits({ tier }).channels),
    ],
  ],
  'clients/client-curl': [
    ['A page has at most # entries', PER_PAGE_MAX],
    ['JPEG, PNG or WebP of at most # MB', PHOTO_MAX_BYTES / MB],
  ],
  'clients/client-python': [['JPEG, PNG or WebP of at most # MB', PHOTO_MAX_BYTES / MB]],
  'matching/card-ids': [['A name has up to # lowercase letters', longest(isSourceName)]],
  'operations/scale': [['at most # per account count as used, # on Business', ...LEASES]],
  'operations/runbook': [
    ['while their leases last (# requests, # on Business)', ...LEASES],
    ['up to # requests of an account, # on Business, count as used', ...LEASES],
  ],
  'operations/operate': [
    ['and up to # GB in total', readConfig({}).pictureCacheMaxBytes / 1e9],
    ['requests wait for up to # seconds', constant('http/listener', 'HOLD_MS_MAX') / 1_000],
    ['Other clients wait up to # seconds', constant('serve-image', 'WAIT_MS_MAX') / 1_000],
    ['PNG or WebP of at most # MB', constant('files/logos', 'BYTES_MAX') / MB],
    ['receives at most # different cards a day', readConfig({}).visitors?.perClient.cards ?? 0],
  ],
  'clients/mcp': [['A message has at most # KB', constant('mcp', 'MESSAGE_BYTES_MAX') / 1024]],
}

/** Statements about a parameter of an endpoint or a member of its body, with the schema that has the numbers. */
const FIELDS: Record<string, [statement: string, endpoint: string, ...keywords: string[]][]> = {
  'search/search': [
    ['`q` has # to # characters', 'GET /v1/search', 'q.minLength', 'q.maxLength'],
    ['`per_page` is # by default', 'GET /v1/search', 'per_page.default'],
  ],
  'alerts/alerts': [
    [
      'with at most two decimals, from # to #',
      'POST /v1/webhooks',
      'threshold.minimum',
      'threshold.maximum',
    ],
    ['have at most # characters', 'POST /v1/webhooks', 'url.maxLength'],
  ],
  'collections/collections': [
    ['Price of one copy, at most #,', ITEM, 'price_paid.maximum'],
    ['US dollars for one copy, at most # |', ITEM, 'target_price.maximum'],
    ['`place`, `note` | At most # and # characters', ITEM, 'place.maxLength', 'note.maxLength'],
    ['# (default) to # |', ITEM, 'quantity.minimum', 'quantity.maximum'],
  ],
  'photos/scanning': [
    [
      '1 to # letters, digits, `_` and `-`',
      'POST /v1/scan-sessions/{id}/photos/{photo}',
      'photo.maxLength',
    ],
  ],
}

/** Phrases that look like a limit: a probability, a measured share, a measured size. */
const NO_LIMITS = ['at most 1.', 'up to 30 %', 'at most 80 MB']

const GUIDES = [...new Bun.Glob('**/*.md').scanSync('docs/guides')]
  .map((file) => file.replace('.md', ''))
  .sort()

describe.each(GUIDES)('docs/guides/%s.md', (page) => {
  test.each(STATEMENTS[page] ?? [])('%s', (statement, ...numbers) => {
    expect(readNumbers(page, statement)).toEqual(numbers)
  })

  test.each(FIELDS[page] ?? [])('%s: %s', (statement, endpoint, ...keywords) => {
    const numbers = keywords.map((keyword) => Number(readSchema(endpoint, keyword)))
    expect(readNumbers(page, statement)).toEqual(numbers)
  })

  test('states no limit that is not compared', () => {
    const statements = [...(STATEMENTS[page] ?? []), ...(FIELDS[page] ?? [])]
    const compared = statements.flatMap(([statement]) => findStatement(page, statement))
    const limits = textOf(page).matchAll(/\b(?:at most|up to|the first) \d[\d,.]* ?[\w%]*/gi)
    const others = [...limits].filter(
      ({ index }) =>
        !compared.some((one) => one.index <= index && index < one.index + one[0].length),
    )
    expect(
      others.map(([phrase]) => phrase.trim()).filter((phrase) => !NO_LIMITS.includes(phrase)),
    ).toEqual([])
  })
})

/** Returns a keyword from the schema of a parameter, or of a member of the body: `q.maxLength`. */
function readSchema(endpoint: string, keyword: string): unknown {
  const [method = '', path = ''] = endpoint.split(' ')
  const [name = '', limit = ''] = keyword.split('.')
  const operation = document.paths[path][method.toLowerCase()]
  const parameters = (operation.parameters ?? []).map((one: unknown) =>
    resolveReference(document, one),
  )
  const parameter = parameters.find((one: { name: string }) => one.name === name)
  if (parameter !== undefined) return parameter.schema[limit]
  const body = resolveReference(document, operation.requestBody.content['application/json'].schema)
  const member = resolveReference(document, body.properties[name])
  return (member.anyOf ?? [member]).find((one: { type?: string }) => one.type !== 'null')[limit]
}

const WORDS = 'zero one two three four five six seven eight nine ten'.split(' ')
const LARGE: Record<string, number> = { thirty: 30, hundred: 100, thousand: 1_000 }
const NUMBER = `(\\d[\\d,.]*\\d|\\d|${[...WORDS, ...Object.keys(LARGE)].join('|')})`

/** Returns the numbers of a statement that a guide contains once. */
function readNumbers(page: string, statement: string): number[] {
  const found = findStatement(page, statement)
  expect(found).toHaveLength(1)
  return (found[0] ?? []).slice(1).map(parseNumber)
}

function findStatement(page: string, statement: string): RegExpExecArray[] {
  const pattern = statement.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', NUMBER)
  return [...textOf(page).matchAll(new RegExp(pattern, 'g'))]
}

/** Returns the sentences and tables of a guide in one line. */
function textOf(page: string): string {
  return withoutFences(readDocument(`docs/guides/${page}.md`)).replaceAll(/\s+/g, ' ')
}

function parseNumber(text: string): number {
  if (text in LARGE) return LARGE[text] ?? Number.NaN
  return WORDS.includes(text) ? WORDS.indexOf(text) : Number(text.replaceAll(',', ''))
}

function itemsOf(tier: string): number[] {
  return TIERS.filter((one) => one === tier).map(resolveItemsMax)
}

function costOf(tier: string): number[] {
  return TIERS.filter((one) => one === tier).map((one) => resolveCredits(one, 10) / 10)
}

/** Returns the length of the longest accepted name of letters alone. */
function longest(isValid: (name: string) => boolean): number {
  const lengths = Array.from({ length: 100 }, (_, index) => index + 1)
  return lengths.findLast((length) => isValid('a'.repeat(length))) ?? 0
}

/** Returns a number that a file of src/ does not export. */
function constant(file: string, name: string): number {
  const [path = '', ...others] = new Bun.Glob(`src/**/${file}.ts`).scanSync('.')
  expect(others).toEqual([])
  const [, product = ''] =
    new RegExp(`^(?:export )?const ${name} = ([\\de_* ]+)$`, 'm').exec(readDocument(path)) ?? []
  const factors = product.split('*').map((factor) => Number(factor.replaceAll('_', '')))
  return factors.reduce((a, b) => a * b)
}
