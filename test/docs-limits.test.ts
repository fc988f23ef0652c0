/** Numbers of the guides are those of the code: limits of endpoints and fields, tables of tiers and prices, defaults of settings. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { redeliveryLimits, webhookTestLimits } from '#actions/accounts/rate-limits.ts'
import { CSV_MAX_BYTES } from '#http/input/csv-body.ts'
import { PAGE_MAX_BYTES, PHOTO_MAX_BYTES } from '#http/input/photo-body.ts'
import { INVITATION_DAYS } from '#rules/accounts/invitations.ts'
import { RECENT_LOGIN_MS, SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '#rules/accounts/sessions.ts'
import { DAILY_REQUESTS, historyDepth, TIERS, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import { PAGE_HISTORY_DAYS } from '#rules/accounts/visitors.ts'
import {
  ATTEMPT_TIMEOUT_MS,
  CONSECUTIVE_FAILURES_MAX,
  DELIVERY_RETENTION_MS,
} from '#rules/alerts/retry-schedule.ts'
import { itemName, PACKS, PLANS, PRICE_CENTS } from '#rules/billing/plans.ts'
import { HOLDING_QUANTITY_MAX } from '#rules/collections/holding.ts'
import { BULK_IDS_MAX, resolveCredits, resolveItemsMax } from '#rules/matching/bulk-limits.ts'
import { PAGE_CARDS_MAX } from '#rules/photos/page-cut.ts'
import { PAGE_READING_MS, SCAN_HOLD_MS, TRIAL_SCANS } from '#rules/photos/scans.ts'
import {
  SCAN_SESSION_MS,
  SCAN_SESSIONS_MAX,
  SESSION_ITEMS_MAX,
} from '#rules/photos/session-item.ts'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import { listRows, readDocument } from './support/operations/documents.ts'
import { createTestApp } from './support/test-app.ts'

const DAY = 86_400_000
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
    ['# (default) to # |', 1, HOLDING_QUANTITY_MAX],
    ['A request adds up to # items', constant('collection-items', 'ITEMS_MAX')],
    ['up to # MB, and finds cards', constant('collection-files', 'FILE_BYTES_MAX') / MB],
    ['Each part of # rows', constant('read-import', 'ROWS_A_PART')],
    ['number of the row, the first # of them', constant('import-file', 'PROBLEMS_KEPT')],
    ['Up to # items are valued with the request', constant('get-valuation', 'ITEMS_AT_ONCE')],
  ],
  'photos/identify': [
    ['JPEG, PNG or WebP of at most # MB', PHOTO_MAX_BYTES / MB],
    ['The first # are free', TRIAL_SCANS],
    ['after # photos in # hours whose damage', constant('damaged-photos', 'DAMAGED_FREE'), 24],
  ],
  start: [['Each account has # free scans', TRIAL_SCANS]],
  'photos/pages': [
    ['Send one photo of up to # cards', PAGE_CARDS_MAX],
    ['JPEG, PNG or WebP, at most # MB', PAGE_MAX_BYTES / MB],
    ['# seconds had passed', PAGE_READING_MS / 1_000],
    ['refunded within # seconds', SCAN_HOLD_MS / 1_000],
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
      ...TIERS.map((tier) => tierLimits(tier, true).channels),
    ],
  ],
  'clients/mcp': [['A message has at most # KB', constant('mcp', 'MESSAGE_BYTES_MAX') / 1024]],
}

describe.each(Object.keys(STATEMENTS))('docs/guides/%s.md', (page) => {
  test.each(STATEMENTS[page] ?? [])('%s', (statement, ...numbers) => {
    expect(readNumbers(page, statement)).toEqual(numbers)
  })
})

describe('a field of a request', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document of OpenAPI has no type here.
  let document: any

  beforeAll(async () => {
    const testApp = await createTestApp()
    const { text } = await testApp.client.get('/openapi.json')
    testApp.close()
    document = JSON.parse(text)
  })

  test.each<[page: string, statement: string, schema: string, member: string, limits: string[]]>([
    [
      'search/search',
      '`q` has # to # characters',
      'GET /v1/search',
      'q',
      ['minLength', 'maxLength'],
    ],
    ['search/search', '`per_page` is # by default', 'GET /v1/search', 'per_page', ['default']],
    [
      'alerts/alerts',
      'with at most two decimals, from # to #',
      'POST /v1/webhooks',
      'threshold',
      ['minimum', 'maximum'],
    ],
    ['alerts/alerts', 'have at most # characters', 'POST /v1/webhooks', 'url', ['maxLength']],
    [
      'collections/collections',
      'US dollars for one copy, at most # |',
      'PATCH /v1/collections/{id}/items/{item_id}',
      'price_paid',
      ['maximum'],
    ],
    [
      'collections/collections',
      '`place`, `note` | At most # and',
      'PATCH /v1/collections/{id}/items/{item_id}',
      'place',
      ['maxLength'],
    ],
    [
      'collections/collections',
      '`place`, `note` | At most 100 and # characters',
      'PATCH /v1/collections/{id}/items/{item_id}',
      'note',
      ['maxLength'],
    ],
    [
      'photos/scanning',
      '1 to # letters, digits, `_` and `-`',
      'POST /v1/scan-sessions/{id}/photos/{photo}',
      'photo',
      ['maxLength'],
    ],
  ])('docs/guides/%s.md: %s', (page, statement, name, member, limits) => {
    const schema = schemaOf(name, member)
    expect(readNumbers(page, statement)).toEqual(limits.map((limit) => Number(schema[limit])))
  })

  /** Returns the schema of a parameter, or of a member of the body. */
  function schemaOf(name: string, member: string): Record<string, unknown> {
    const [method = '', path = ''] = name.split(' ')
    const operation = document.paths[path][method.toLowerCase()]
    const parameters = (operation.parameters ?? []).map(resolve)
    const parameter = parameters.find((one: { name: string }) => one.name === member)
    if (parameter !== undefined) return parameter.schema
    const body = resolve(operation.requestBody.content['application/json'].schema)
    const schema = resolve(body.properties[member])
    return (schema.anyOf ?? [schema]).find((one: { type?: string }) => one.type !== 'null')
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  function resolve(value: any): any {
    if (value.$ref === undefined) return value
    const keys: string[] = value.$ref.slice(2).split('/')
    return keys.reduce((at, key) => at[key], document)
  }
})

describe('tables of the guides', () => {
  const NAMES = new RegExp(`^(${TIERS.map(tierName).join('|')})$`)
  const rowsOf = (page: string) =>
    listRows(`docs/guides/${page}.md`, NAMES).map(([, ...cells]) => cells.map(parseNumber))

  test('state the requests of each tier', () => {
    const requests = rowsOf('accounts/keys').map(([number]) => number)
    expect(requests).toEqual(TIERS.map((tier) => DAILY_REQUESTS[tier]))
    const text = readDocument('docs/guides/accounts/keys.md')
    expect(text).toContain(`card history of ${historyDepth('hobby')} days`)
    expect(text).toContain(`history of ${historyDepth('starter')} days`)
  })

  test('state the collections and items of each tier', () => {
    const limits = TIERS.map((tier) => tierLimits(tier, true))
    expect(rowsOf('collections/collections')).toEqual(
      limits.map(({ collections, items }) => [collections, items]),
    )
  })

  test('state the price alerts of each tier', () => {
    expect(rowsOf('alerts/watching')).toEqual(TIERS.map((tier) => [tierLimits(tier, true).alerts]))
  })

  test('state the prices of plans and packs', () => {
    const rows = listRows('docs/guides/billing/billing.md', NAMES).map((cells) =>
      cells.map(withoutSign),
    )
    expect(rows).toEqual(
      PLANS.map((plan, index) => {
        const pack = PACKS[index] ?? 'scans_1000'
        return [tierName(plan), dollars(plan), '', itemName(pack), dollars(pack)]
      }),
    )
  })

  const withoutSign = (cell: string) => cell.replace('$', '')
  const dollars = (item: (typeof PLANS | typeof PACKS)[number]) => String(PRICE_CENTS[item] / 100)
})

const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]
const LARGE: Record<string, number> = { thirty: 30, hundred: 100, thousand: 1_000 }
const NUMBER = `(\\d[\\d,.]*\\d|\\d|${[...WORDS, ...Object.keys(LARGE)].join('|')})`

/** Returns the numbers of a statement that a guide has once. */
function readNumbers(page: string, statement: string): number[] {
  const text = readDocument(`docs/guides/${page}.md`).replaceAll(/\s+/g, ' ')
  const pattern = statement.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', NUMBER)
  const found = [...text.matchAll(new RegExp(pattern, 'g'))]
  expect(found).toHaveLength(1)
  return (found[0] ?? []).slice(1).map(parseNumber)
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

/** Returns a number that a file of src/ keeps to itself. */
function constant(file: string, name: string): number {
  const [path = '', ...others] = new Bun.Glob(`src/**/${file}.ts`).scanSync('.')
  expect(others).toEqual([])
  const [, product = ''] =
    new RegExp(`^(?:export )?const ${name} = ([\\d_* ]+)$`, 'm').exec(readDocument(path)) ?? []
  const factors = product.split('*').map((factor) => Number(factor.replaceAll('_', '')))
  return factors.reduce((a, b) => a * b)
}
