import { describe, expect, spyOn, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type {
  Card,
  CardSet,
  CollectionItem,
  OwnedCopies,
  OwnedSet,
} from '../../../src/client/endpoints.ts'
import { hashSecret } from '../../../src/rules/accounts/credentials.ts'
import { createSecretBox } from '../../../src/rules/primitives/secret-box.ts'
import { createHeldCollection } from '../../contract/holdings.ts'
import { callsOf } from '../../support/collections/collection-calls.ts'
import { startTurnClock } from '../../support/event-loop-turns.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf, SAMPLE } from '../../support/test-app.ts'

const testApp = await createTestApp()

const CSV = readFileSync(`${SAMPLE}/collection.csv`, 'utf8')

/** Error of a refused change. */
type Refusal = { code: string; message: string; current?: { revision: number; quantity: number } }

describe('an import', () => {
  test('imports a file once, and again only if that is requested', async () => {
    const { create, import: send, items, summary } = callsOf(testApp)
    const id = await create()
    const first = await send(id, CSV)
    // The name of the last card is misspelled.
    expect(first).toMatchObject({ rows: 9, imported: 8, skipped: 1, is_repeated: false })
    expect(await send(id, CSV)).toEqual({ ...first, is_repeated: true })
    expect(await items(id)).toHaveLength(8)
    const second = await send(id, CSV, '?again=true')
    expect(second).toEqual({ ...first, import_id: second.import_id })
    expect(second.import_id).not.toBe(first.import_id)
    expect(await items(id)).toHaveLength(16)
    expect((await summary(id)).items).toBe(16)
  })

  test('leaves out rows that nobody owns, with the reason, and rows without a copy', async () => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create()
    const rows = [
      'Normal,Foil,Name,Set,Binder Type,Watchlist,Proxy',
      '2,1,Cindle,Tidepool Parade,binder,false,false',
      '1,0,Cindle,Tidepool Parade,list,false,false',
      '1,0,Cindle,Tidepool Parade,deck,false,false',
      '1,0,Cindle,Tidepool Parade,binder,true,false',
      '1,0,Cindle,Tidepool Parade,binder,false,true',
      '0,0,Cindle,Tidepool Parade,binder,false,false',
    ]
    const report = await send(id, rows.join('\n'))
    expect(report).toMatchObject({ rows: 7, imported: 2, skipped: 5, problem_count: 4 })
    expect(report.problems.map(({ row, reason }) => [row, reason])).toEqual([
      [2, 'in_list'],
      [3, 'in_deck'],
      [4, 'on_watchlist'],
      [5, 'proxy'],
    ])
    expect((await items(id)).map(({ quantity, printing }) => [quantity, printing])).toEqual([
      [1, 'Reverse Holofoil'],
      [2, 'Normal'],
    ])
  })

  test.each([
    [
      ['05/04/2026', '31/05/2026'],
      ['2026-04-05', '2026-05-31'],
    ],
    [
      ['05/04/2026', '05/31/2026'],
      ['2026-05-04', '2026-05-31'],
    ],
    [
      ['05/04/2026', '06/04/2026'],
      ['2026-05-04', '2026-06-04'],
    ],
  ])('reads the dates %p in one order of day and month', async (dates, expected) => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create()
    await send(
      id,
      `Name,Quantity,Date Added\n${dates.map((date) => `Cindle,1,${date}`).join('\n')}`,
    )
    const read = (await items(id)).map(({ acquired_on }) => acquired_on)
    expect(read.toSorted()).toEqual(expected)
  })

  test('imports the rows that it understands, and lists the others by number', async () => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create()
    const rows = [
      'Quantity,Name,Condition,Language,Price Paid,Currency,Date,Place',
      '2,Cindle,LP,Japanese,"1,234.50",USD,2026-10-01,Box 1',
      '-3,Cindle,NM,,,,,',
      '99999999,Cindle,NM,,,,,',
      '500000,Cindle,NM,,,,,',
      '1,Nobody at all,NM,,,,,',
      '1,,NM,,,,,',
      '1,Tide Clerk,shiny,Klingon,-5,USD,2999-01-01,',
      '1,Tide Clerk,NM,en,5,XYZ,,',
      '1,Tide Clrek,NM,en,,,,',
    ]
    const report = await send(id, rows.join('\n'))
    expect(report).toMatchObject({ rows: 9, imported: 3, skipped: 6, problem_count: 14 })
    expect(
      report.problems.map(({ row, reason, is_imported }) => [row, reason, is_imported]),
    ).toEqual([
      [1, 'printing_assumed', true],
      [2, 'invalid_quantity', false],
      [3, 'invalid_quantity', false],
      [4, 'invalid_quantity', false],
      [5, 'no_match', false],
      [6, 'no_name', false],
      [7, 'printing_assumed', true],
      [7, 'invalid_condition', true],
      [7, 'invalid_language', true],
      [7, 'invalid_price', true],
      [7, 'invalid_date', true],
      [8, 'printing_assumed', true],
      [8, 'currency_not_supported', true],
      [9, 'guessed', false],
    ])
    expect(report.problems.at(-1)).toMatchObject({ name: 'Tide Clrek', card_name: 'Tide Clerk' })
    const [first] = await items(id, '?sort=added_asc')
    expect(first).toMatchObject({
      quantity: 2,
      condition: 'lightly_played',
      language: 'ja',
      price_paid: 1_234.5,
      acquired_on: '2026-10-01',
      place: 'Box 1',
    })
  })

  test('takes exact names only, unless other matches are accepted', async () => {
    const { create, import: send, items } = callsOf(await createTestApp())
    const file = [
      'Name,Set,Number',
      'Cindle,TPP,001/020',
      'Tide Clerk,,',
      'Whisht,Drowned Abbey,77',
      'Whisht,Elsewhere,',
      'Tide Clrek,,',
      'Nobody at all,,',
    ].join('\n')
    const taken = async (query: string) => {
      const id = await create()
      const report = await send(id, file, query)
      const cards = (await items(id)).map(({ card_id }) => card_id).toSorted()
      return { cards, left: report.problems.filter((one) => !one.is_imported) }
    }
    const usual = await taken('')
    expect(usual.cards).toEqual([900101, 900210])
    expect(usual.left.map(({ row, reason, card_id }) => [row, reason, card_id])).toEqual([
      [3, 'guessed', 900305],
      [4, 'guessed', 900305],
      [5, 'guessed', 900210],
      [6, 'no_match', null],
    ])
    expect(usual.left[1]?.alternatives).toEqual([
      { id: 900208, name: 'Whisht', set_name: 'The Ninth Library', number: '8' },
    ])
    const certain = await taken('?accept=certain')
    expect(certain.cards).toEqual([900101])
    expect(certain.left.map(({ reason }) => reason)).toContain('assumed')
    expect((await taken('?accept=certain,assumed,guessed')).cards).toHaveLength(5)
  })

  test('takes the card that is preferred among those without a set, and says so', async () => {
    const { create, import: send, items } = callsOf(await createTestApp())
    for (const [query, card_id] of [
      ['', 900101],
      ['?prefer=highest', 900001],
    ] as const) {
      const id = await create()
      const report = await send(id, 'Name\nCindle\n', query)
      expect(report.problems).toMatchObject([
        { row: 1, reason: 'printing_assumed', is_imported: true },
      ])
      expect(await items(id)).toMatchObject([{ card_id }])
    }
  })

  test('lists skipped rows before cards that are only assumed, if there are many', async () => {
    const { create, import: send } = callsOf(await createTestApp())
    const file = `Name\n${'Cindle\n'.repeat(300)}Nobody at all\n`
    const report = await send(await create(), file, '')
    expect(report.problem_count).toBe(301)
    expect(report.problems).toHaveLength(200)
    expect(report.problems.at(-1)).toMatchObject({ row: 301, reason: 'no_match' })
  })

  test('takes the rows that an earlier import left out', async () => {
    const own = await createTestApp()
    const { create, import: send, items } = callsOf(own)
    const id = await create()
    const file = 'Name,Set\nCindle,TPP\nTide Clrek,\n'
    expect(await send(id, file)).toMatchObject({ imported: 1, skipped: 1 })
    expect(await send(id, file, '?accept=guessed')).toMatchObject({
      imported: 1,
      is_repeated: false,
    })
    expect(await items(id)).toHaveLength(2)
    expect(await send(id, file, '?accept=guessed')).toMatchObject({ is_repeated: true })
    const { status } = await own.client.request(
      'POST',
      `/v1/collections/${id}/import?accept=certain,sometimes`,
      { as: 'pro', body: file, headers: { 'content-type': 'text/csv' } },
    )
    expect(status).toBe(400)
  })

  test('takes a pasted list', async () => {
    const { create, import: send, items } = callsOf(testApp)
    const id = await create('wish')
    const list = '4 Cindle (TPP) 001/020\n\nSideboard\n2x Tide Clerk\n'
    expect(await send(id, list, '?game=wickerwild')).toMatchObject({ rows: 2, imported: 1 })
    expect(await items(id)).toMatchObject([{ card_id: 900101, quantity: 4 }])
  })

  test('stops at the limit of the tier, and continues there after an upgrade', async () => {
    const own = await createTestApp()
    const { create, import: send, get } = callsOf(own, 'free')
    const id = await create()
    const row = (number: number) => `${1 + (number % 7)},Cindle,Tidepool Parade,001/020`
    const rows = Array.from({ length: 730 }, (_, number) => row(number))
    const file = ['Quantity,Name,Set Name,Card Number', ...rows].join('\n')
    const full = await send(id, file)
    expect(full).toMatchObject({ rows: 500, imported: 500, is_full: true, is_repeated: false })
    expect(await send(id, file)).toMatchObject({ rows: 500, imported: 500, is_full: true })
    const address = 'test'
    await own.deps.ledger.accounts.updateTier(emailOf('free'), 'pro', { now: new Date(), address })
    expect(await send(id, file)).toMatchObject({ rows: 730, imported: 730, is_full: false })
    const { body } = await get<CollectionItem[]>(id, '/items?sort=added_asc&per_page=100&page=8')
    expect(body.meta.total).toBe(730)
    const expected = rows.slice(700).map((one) => Number(one.split(',', 1)[0]))
    expect(body.data.map(({ quantity }) => quantity)).toEqual(expected)
  })

  test('of an unreadable file is 400 and adds nothing', async () => {
    const { create, items } = callsOf(testApp)
    const id = await create()
    const headers = { 'content-type': 'text/csv' }
    for (const body of ['Quantity,Amount\n1,2\n', '\0\0\0PK', 'Name\n', 'Name,Set\n"open\n']) {
      const { status, body: reply } = await testApp.client.request(
        'POST',
        `/v1/collections/${id}/import`,
        { as: 'pro', body, headers },
      )
      expect([body, status, reply.error.code]).toEqual([body, 400, 'VALIDATION_ERROR'])
    }
    expect(await items(id)).toEqual([])
  })
})

describe('an export', () => {
  // The formats of apps need a game of the app (export-formats.test.ts).
  test.each(['full', 'tcgplayer'] as const)(
    'as %s is read again by an import and by resolve/csv',
    async (format) => {
      const { create, import: send, items, get, add } = callsOf(testApp)
      const id = await create()
      await send(id, CSV, '?accept=certain,guessed')
      await add(id, [
        {
          card_id: 900401,
          printing: 'Cold Foil',
          condition: 'damaged',
          grade: 'PSA 9',
          note: '=1+1',
          place: '＝1+1',
        },
      ])
      const { text: file, headers } = await get(id, `/export?format=${format}`)
      expect(headers.get('content-disposition')).toContain(`collection-${format}.csv`)
      expect(headers.get('x-items-left-out')).toBe('0')
      const copy = await create()
      const game = format === 'full' ? '' : '?'
      const report = await send(copy, file, game)
      expect(report).toMatchObject({ rows: 10, imported: 10, skipped: 0 })
      const [before, after] = await Promise.all([items(id), items(copy)])
      const identify = ({ card_id, quantity, printing }: CollectionItem) => {
        return [card_id, quantity, printing]
      }
      expect(after.map(identify)).toEqual(before.map(identify))
      const own = ({
        id: _,
        created_at,
        updated_at,
        ...item
      }: CollectionItem & Record<string, unknown>) => item
      if (format === 'full')
        expect(after.map((item) => own({ ...item }))).toEqual(
          before.map((item) => own({ ...item })),
        )
      const resolved = await testApp.client.request('POST', '/v1/bulk/resolve/csv', {
        as: 'pro',
        body: file,
        headers: { 'content-type': 'text/csv' },
      })
      expect([resolved.status, resolved.body.meta.total_matched]).toEqual([200, 10])
    },
  )
})

describe('two tabs', () => {
  test('that change an item: the second one gets 409 with the item as it is', async () => {
    const { change, remove, get } = callsOf(testApp)
    const { id, item_id } = await createHeldCollection(testApp, 'pro')
    const first = await change(id, item_id, { revision: 1, quantity: 5 })
    expect([first.status, first.body.data.revision]).toEqual([200, 2])
    for (const reply of [
      await change(id, item_id, { revision: 1, quantity: 9 }),
      await remove(id, `/items/${item_id}?revision=1`),
    ]) {
      const error = reply.body.error as Refusal
      expect([reply.status, error.code]).toEqual([409, 'REVISION_CONFLICT'])
      expect(error.current).toEqual(first.body.data as never)
    }
    expect((await change(id, item_id, { revision: 2, quantity: 9 })).body.data.quantity).toBe(9)
    expect((await remove(id, `/items/${item_id}?revision=3`)).status).toBe(200)
    expect((await remove(id, `/items/${item_id}`)).status).toBe(404)
    expect((await get<CollectionItem[]>(id, '/items')).body.meta.total).toBe(0)
  })
})

test('pages of items that many read at once take a turn of the event loop each', async () => {
  const { add, items } = callsOf(testApp)
  const { id, token } = await createHeldCollection(testApp, 'pro')
  await add(
    id,
    Array.from({ length: 99 }, () => ({ card_id: 900402 })),
  )
  const { listItems } = testApp.deps.ledger
  const { list } = listItems
  const turns: number[] = []
  const clock = startTurnClock()
  const spy = spyOn(listItems, 'list').mockImplementation((...page) => {
    turns.push(clock.turn())
    return list(...page)
  })
  const readers = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? items(id) : testApp.client.get<object>(`/v1/shared/${token}?per_page=100`),
  )
  await Promise.all(readers)
  clock.stop()
  spy.mockRestore()
  expect(turns).toHaveLength(20)
  expect(new Set(turns).size).toBe(20)
})

describe('a link', () => {
  const read = (token: string) => testApp.client.get<object>(`/v1/shared/${token}`)

  test('shows everybody the cards, and nothing that its owner paid or noted', async () => {
    const { add } = callsOf(testApp)
    const { id, token } = await createHeldCollection(testApp, 'pro')
    const secret = {
      price_paid: 77.77,
      target_price: 66.66,
      note: 'secret note',
      place: 'secret box',
    }
    await add(id, [{ card_id: 900402, acquired_on: '2026-07-07', ...secret }])
    const { status, text, headers } = await read(token)
    expect([status, headers.get('cache-control')]).toEqual([200, expect.stringMatching(/no-store/)])
    expect(text).toContain('"card_id":900402')
    for (const hidden of ['secret', '77.77', '66.66', '2026-07-07', 'price_paid', 'gain', id]) {
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false])
    }
  })

  test('is 404 if it is guessed, ended, replaced, or its collection is deleted', async () => {
    const { share, remove } = callsOf(testApp)
    const { id, token } = await createHeldCollection(testApp, 'pro')
    expect(Buffer.from(token, 'base64url')).toHaveLength(16)
    const guessed = await read('A'.repeat(22))
    expect([guessed.status, guessed.body.error.code]).toEqual([404, 'NOT_FOUND'])
    const next = (await share(id)).body.data
    expect(next.url).toBe(`https://cards.example/shared/${next.token}`)
    expect((await read(token)).status).toBe(404)
    expect((await read(next.token)).status).toBe(200)
    expect((await remove(id, '/share')).status).toBe(200)
    expect((await read(next.token)).status).toBe(404)
    expect((await remove(id, '/share')).status).toBe(404)
    const last = (await share(id)).body.data
    expect((await remove(id, '')).status).toBe(200)
    const gone = await read(last.token)
    expect([gone.status, gone.body]).toEqual([404, guessed.body])
  })

  test('is shown to its owner as often as needed, and to nobody else', async () => {
    const { create, get, share, remove } = callsOf(testApp)
    const id = await create()
    expect((await get(id, '/share')).status).toBe(404)
    const { url } = (await share(id)).body.data
    for (let times = 0; times < 2; times++) {
      const { body } = await get<object>(id, '/share')
      expect(body.data).toEqual({ url, shared_at: testApp.deps.now().toISOString() })
    }
    const stranger = await callsOf(testApp, 'business').get(id, '/share')
    expect(stranger.status).toBe(404)
    const next = (await share(id)).body.data
    expect((await get(id, '/share')).body.data).toMatchObject({ url: next.url })
    await remove(id, '/share')
    expect((await get(id, '/share')).status).toBe(404)
  })

  test('still works after APP_SECRET has changed, although it cannot be shown again', async () => {
    const { create, get, share } = callsOf(testApp)
    const id = await create()
    const { token } = (await share(id)).body.data
    const { account_id } = (await testApp.deps.ledger.collectionShares.getByToken(
      hashSecret(token),
    )) ?? {
      account_id: 0,
    }
    const earlier = createSecretBox('the secret of an earlier server', randomBytes)
    const link = { token_hash: hashSecret(token), sealed_token: earlier.seal(token, id) }
    await testApp.deps.ledger.collectionShares.create({ id, account_id }, link, testApp.deps.now())
    const { status, body } = await get<object>(id, '/share')
    expect([status, body.data]).toEqual([
      200,
      { url: null, shared_at: testApp.deps.now().toISOString() },
    ])
    expect((await read(token)).status).toBe(200)
    const next = (await share(id)).body.data
    expect((await get(id, '/share')).body.data).toMatchObject({ url: next.url })
    expect((await read(token)).status).toBe(404)
  })

  test('is read 120 times a minute by each network, with real and guessed tokens', async () => {
    const own = await createTestApp({ env: { TRUST_PROXY: '1' } })
    const { token } = await createHeldCollection(own, 'pro')
    const readFrom = (address: string, path = token) =>
      own.client.get(`/v1/shared/${path}`, { headers: { 'x-forwarded-for': address } })
    for (let count = 0; count < 120; count++) {
      const path = count % 2 === 0 ? token : 'A'.repeat(22)
      expect((await readFrom('192.0.2.7', path)).status).toBe(count % 2 === 0 ? 200 : 404)
    }
    const { status, body, headers } = await readFrom('192.0.2.7')
    expect([status, body.error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    expect(Number(headers.get('retry-after'))).toBe(1)
    expect((await readFrom('198.51.100.7')).status).toBe(200)
    own.close()
  })
})

describe('limits', () => {
  test('are one collection of 500 items and one wish list on Free', async () => {
    const own = await createTestApp()
    const { create, add } = callsOf(own, 'free')
    const id = await create()
    await create('wish')
    for (const kind of ['owned', 'wish']) {
      const json = { name: 'More', kind }
      const { status, body } = await own.client.request('POST', '/v1/collections', {
        as: 'free',
        json,
      })
      expect([status, body.error.code]).toEqual([409, 'TOO_MANY_COLLECTIONS'])
    }
    const many = Array.from({ length: 100 }, () => ({ card_id: 900402 }))
    for (let more = 0; more < 5; more++) expect((await add(id, many)).status).toBe(201)
    expectRefusal(await add(id, [{ card_id: 900402 }]), 409, 'COLLECTION_FULL')
    const list = await own.client.get('/v1/collections', { as: 'free' })
    expect(list.body.meta).toMatchObject({ collections_max: 1, items_max: 500 })
  })

  test('do not exist on a private server', async () => {
    const own = await createTestApp({ env: { SERVICE_MODE: 'private' } })
    const { create } = callsOf(own, 'free')
    for (let more = 0; more < 3; more++) await create()
    const { body } = await own.client.get('/v1/collections', { as: 'free' })
    expect(body.meta).toMatchObject({ collections_max: null, items_max: null })
  })
})

test('all collections of an account are one file, which names them', async () => {
  const own = await createTestApp()
  const { create, add } = callsOf(own)
  const ids = [await create(), await create('wish')]
  for (const id of ids) await add(id, [{ card_id: 900401 }, { card_id: 900402, quantity: 3 }])
  await createHeldCollection(own, 'business')
  const { status, text } = await own.client.get('/v1/collections/export', { as: 'pro' })
  expect(status).toBe(200)
  const [header, ...rows] = text.trim().split('\r\n')
  expect(header).toStartWith('Collection,Kind,Quantity,Name,')
  const copies = rows.map((row) => row.split(',').slice(0, 3).join()).toSorted()
  expect(copies).toEqual(['Binder,owned,1', 'Binder,owned,3', 'Binder,wish,1', 'Binder,wish,3'])
})

test('owned copies are those of all collections, without wish lists and other accounts', async () => {
  const own = await createTestApp()
  const { create, add, remove } = callsOf(own)
  const [binder, box, wanted, gone] = [
    await create(),
    await create(),
    await create('wish'),
    await create(),
  ]
  const foil = { card_id: 900401, printing: 'Cold Foil' }
  const two = { card_id: 900401, quantity: 2, note: 'A gift' }
  await add(binder, [{ card_id: 900401 }, two, foil, { card_id: 900402, grade: 'PSA 10' }])
  await add(box, [two, { card_id: 900402, language: 'ja' }])
  await add(wanted, [two])
  await add(gone, [two])
  await remove(gone, '')
  await createHeldCollection(own, 'business')
  const owned = async (query: string) => {
    const { body } = await own.client.get<OwnedCopies[]>(`/v1/collections/owned?${query}`, {
      as: 'pro',
    })
    return body.data.map(({ card_id, collection_id, printing, grade, language, quantity }) =>
      [
        card_id,
        collection_id === box ? 'box' : 'binder',
        printing,
        grade,
        language,
        quantity,
      ].join(),
    )
  }
  const plain = ['900401,binder,Normal,,,3', '900401,binder,Cold Foil,,,1', '900401,box,Normal,,,2']
  const other = ['900402,binder,Foil,PSA 10,,1', '900402,box,Foil,,ja,1']
  expect((await owned('ids=900401,900403')).toSorted()).toEqual(plain.toSorted())
  expect((await owned('set_id=90031')).toSorted()).toEqual([...plain, ...other].toSorted())
  expect((await owned('set_id=90012&ids=900402')).toSorted()).toEqual(other)
  expect([await owned('ids=900403'), await owned('')]).toEqual([[], []])
})

test('owned cards are counted by set, each once, without sealed products, wish lists and other accounts', async () => {
  const own = await createTestApp()
  const { create, add, remove } = callsOf(own)
  const [binder, box, wanted, gone] = [
    await create(),
    await create(),
    await create('wish'),
    await create(),
  ]
  await add(binder, [
    { card_id: 900401, quantity: 4 },
    { card_id: 900401, condition: 'damaged' },
  ])
  await add(box, [{ card_id: 900401 }, { card_id: 900402 }, { card_id: 900101 }])
  await add(wanted, [{ card_id: 900403 }])
  await add(gone, [{ card_id: 900404 }])
  await remove(gone, '')
  await createHeldCollection(own, 'business')
  const sealed = own.catalogDb
    .prepare<[], number>(
      "SELECT min(id) FROM cards WHERE set_id = 90031 AND product_type <> 'Cards'",
    )
    .pluck()
    .get()
  await add(box, [{ card_id: sealed }])
  const count = async (query = '') =>
    (await own.client.get<OwnedSet[]>(`/v1/collections/owned/sets${query}`, { as: 'pro' })).body
      .data
  const drift = { set_id: 90031, cards: 2 }
  const { set_id } = (await own.client.get<Card>('/v1/cards/900101', { as: 'pro' })).body.data
  expect(await count()).toEqual([{ set_id, cards: 1 }, drift])
  expect(await count('?game=perihelion-drift')).toEqual([drift])
  expect(await count('?game=vellum-and-thorn')).toEqual([])
  const { body } = await own.client.get<OwnedCopies[]>('/v1/collections/owned?set_id=90031', {
    as: 'pro',
  })
  const singles = body.data.filter(({ is_single }) => is_single)
  expect(new Set(singles.map(({ card_id }) => card_id)).size).toBe(drift.cards)
  const unknown = await own.client.get('/v1/collections/owned/sets?game=chess', { as: 'pro' })
  expectRefusal(unknown, 404, 'NOT_FOUND')
})

test('owned cards of many collections and cards are counted', async () => {
  const own = await createTestApp()
  const { create, add } = callsOf(own)
  const ids = own.catalogDb
    .prepare<[], number>(
      "SELECT id FROM cards WHERE product_type = 'Cards' AND missing_since IS NULL",
    )
    .pluck()
    .all()
  for (let at = 0; at < ids.length; at += 30) {
    await add(
      await create(),
      ids.slice(at, at + 50).map((card_id) => ({ card_id })),
    )
  }
  const { body } = await own.client.get<OwnedSet[]>('/v1/collections/owned/sets', { as: 'pro' })
  const { data: sets } = (await own.client.get<CardSet[]>('/v1/sets', { as: 'pro' })).body
  const all = sets.map(({ id, single_count }) => ({ set_id: id, cards: single_count }))
  expect(body.data).toEqual(all.sort((a, b) => a.set_id - b.set_id))
})

test.each([
  ['?ids=,', 400, 'VALIDATION_ERROR'],
  [`?ids=${Array.from({ length: 101 }, (_, at) => at + 1)}`, 400, 'TOO_MANY_ITEMS'],
  ['?set_id=1', 404, 'NOT_FOUND'],
])('owned copies with "%s" are refused with %d', async (query, status, code) => {
  const reply = await testApp.client.get(`/v1/collections/owned${query}`, { as: 'pro' })
  expectRefusal(reply, status, code)
})

test('completion counts different cards of each set', async () => {
  const { create, add, get } = callsOf(testApp)
  const id = await create()
  await add(id, [
    { card_id: 900401 },
    { card_id: 900401, printing: 'Cold Foil' },
    { card_id: 900402 },
  ])
  const { body } = await get<{ owned: number; total: number; percent: number }[]>(id, '/completion')
  expect(body.data).toMatchObject([{ set_id: 90031, owned: 2, total: 23, percent: 8.7 }])
})
