// Imports that are shown before they are stored: the draft, decisions about its rows, its import and the undo.

import { describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { CollectionImport } from '../../../src/client/endpoints.ts'
import { draftCallsOf, sumsOf } from '../../support/collections/draft-calls.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

const CSV = [
  'Name,Set,Number,Quantity,Binder Type,Place',
  'Cindle,TPP,001/020,2,,Box 1',
  'Tide Clerk,,,1,,Box 1',
  'Whisht,Drowned Abbey,77,3,,',
  '=Nobody,,,1,,',
  'Cindle,TPP,001/020,1,list,',
  'Cindle,TPP,001/020,0,,',
].join('\n')

const idsOf = ({ entries }: CollectionImport) => entries.map(({ id }) => id)

async function open(file = CSV) {
  // Drafts of the same moment would have no order.
  testApp.advance(1)
  const calls = draftCallsOf(testApp, 'business')
  const collection = await calls.create()
  return { ...calls, collection, id: await calls.draft(collection, file) }
}

async function openFile() {
  const app = await createTestApp()
  const calls = draftCallsOf(app, 'business')
  const collection = await calls.create()
  const send = (body: string, query = '?draft=true') =>
    app.client.request('POST', `/v1/collections/${collection}/import${query}`, {
      as: 'business',
      body,
      headers: { 'content-type': 'text/csv' },
    })
  return { ...calls, app, collection, send, importDrafts: app.deps.ledger.importDrafts }
}

describe('a draft', () => {
  test('keeps what was understood by kind, doubtful rows first, and stores nothing', async () => {
    const { id, get, items, collection } = await open()
    const draft = await get(id)
    expect(draft).toMatchObject({ state: 'draft', revision: 1, rows: 6, is_repeated: false })
    expect(idsOf(draft)).toEqual([
      'guessed-1',
      'assumed-1',
      'not_found-1',
      'skipped-1',
      'skipped-2',
      'certain-1',
    ])
    expect(draft.entries.map(({ state }) => state)).toEqual([
      'open',
      'accepted',
      'open',
      'open',
      'open',
      'accepted',
    ])
    expect(draft.columns.map(({ use }) => use)).toContain('quantity')
    expect(draft.entries[0]).toMatchObject({
      row: 3,
      text: 'Whisht, Drowned Abbey, 77, 3, , ',
      notes: ['number_not_found'],
      card: { card_id: 900305, name: 'Whisht', set_name: 'Drowned Abbey' },
      printing: 'Normal',
      quantity: 3,
      market_price: 3.49,
      value: 10.47,
    })
    expect(draft.entries.slice(2, 5).map(({ reason }) => reason)).toEqual([
      'no_match',
      'in_list',
      'no_copies',
    ])
    expect(sumsOf(draft, 'guessed')).toMatchObject({ rows: 1, accepted: 0, value: 10.47 })
    expect(sumsOf(draft, 'certain')).toMatchObject({ accepted: 1, accepted_value: 0.24 })
    expect(await items(collection)).toEqual([])
  })

  test('suggests cards with similar names for a row without a card', async () => {
    const { id, get, decide } = await open('Name,Set\nMarginwyrm Hatch,Nowhere')
    const [entry] = (await get(id)).entries
    expect(entry).toMatchObject({ id: 'not_found-1', card: null, state: 'open' })
    expect(entry?.alternatives.map(({ name }) => name)).toEqual(['Marginwyrm Hatchling'])
    const card_id = entry?.alternatives[0]?.card_id ?? 0
    const chosen = await decide(id, { rows: [{ id: 'not_found-1', card_id }] })
    expect(chosen.entries[0]).toMatchObject({ state: 'accepted', card: { card_id } })
  })

  test('shows the grade of a copy', async () => {
    const { id, get } = await open('Name,Set,Number,Grade\nCindle,TPP,001/020,PSA 9')
    expect((await get(id)).entries).toMatchObject([{ kind: 'certain', grade: 'PSA 9' }])
  })

  test('is read by pages, and by kind', async () => {
    const rows = Array.from({ length: 450 }, (_, row) => `${row + 1},Cindle,TPP,001/020`)
    const { id, get, send } = await open(['Quantity,Name,Set,Number', ...rows].join('\n'))
    const page = await send('GET', `/v1/imports/${id}?kind=certain&page=3&per_page=100`)
    expect(page.body.meta).toMatchObject({ total: 450, page: 3, has_more: true })
    // Rows 200 and 201 are in two parts.
    expect(page.body.data.entries.map(({ quantity }) => quantity)).toEqual(
      Array.from({ length: 100 }, (_, row) => 201 + row),
    )
    expect(idsOf(await get(id, '?page=9&per_page=50')).slice(-1)).toEqual(['certain-450'])
    expect((await get(id, '?kind=guessed')).entries).toEqual([])
  })

  test('of a pasted list has its lines', async () => {
    const { id, get } = await open('2 Cindle\n1 Cindel')
    const { entries, columns } = await get(id)
    expect(columns).toEqual([])
    expect(entries.map(({ kind, text, quantity }) => [kind, text, quantity])).toEqual([
      ['guessed', '1 Cindel', 1],
      ['assumed', '2 Cindle', 2],
    ])
  })

  test('says that the file was imported before, with or without a draft', async () => {
    const { collection, id, get, store, draft, import: send, create } = await open()
    expect((await get(await draft(collection, CSV))).is_repeated).toBe(false)
    expect((await store(id, 1)).status).toBe(200)
    expect((await get(await draft(collection, CSV))).is_repeated).toBe(true)
    expect(await send(collection, CSV)).toMatchObject({ import_id: id, is_repeated: true })
    expect(await send(collection, CSV, '?accept=guessed')).toMatchObject({ is_repeated: false })
    const other = await create()
    await send(other, CSV)
    expect((await get(await draft(other, CSV))).is_repeated).toBe(true)
  })

  test('says so in each tab with a draft of the file once one of them was imported', async () => {
    const { collection, id, get, store, draft, takeBack, decide } = await open()
    const other = await draft(collection, CSV)
    expect((await get(other)).is_repeated).toBe(false)
    await store(id, 1)
    expect((await get(other)).is_repeated).toBe(true)
    const skipped = await decide(other, { rows: [{ id: 'certain-1', state: 'skipped' }] })
    expect(skipped.is_repeated).toBe(true)
    expect((await get(id)).is_repeated).toBe(false)
    await takeBack(id)
    expect((await get(other)).is_repeated).toBe(false)
  })

  test('replaces the one of the account that was changed longest ago if there are three', async () => {
    const app = await createTestApp()
    const { create, draft, decide, send } = draftCallsOf(app, 'business')
    const collection = await create()
    const ids: string[] = []
    for (let number = 0; number < 3; number++) {
      app.advance(1_000)
      ids.push(await draft(collection, `${number + 1} Cindle`))
    }
    app.advance(1_000)
    await decide(ids[0] ?? '', { kinds: [{ kind: 'assumed', state: 'skipped' }] })
    ids.push(await draft(collection, '4 Cindle'))
    const replies = await Promise.all(ids.map((id) => send('GET', `/v1/imports/${id}`)))
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 200])
  })

  test('is not replaced by a file that is not understood', async () => {
    const app = await createTestApp()
    const { create, draft, listOpen } = draftCallsOf(app, 'business')
    const collection = await create()
    for (const quantity of [1, 2, 3]) await draft(collection, `${quantity} Cindle`)
    const path = `/v1/collections/${collection}/import?draft=true`
    const headers = { 'content-type': 'text/csv' }
    const body = 'Name,Quantity\0\n'
    const reply = await app.client.request('POST', path, { as: 'business', body, headers })
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
    expect(await listOpen()).toHaveLength(3)
  })

  test('is kept while newer ones are imported, whose failed rows are given up first', async () => {
    const app = await createTestApp()
    const { create, draft, store, send, listOpen } = draftCallsOf(app, 'business')
    const collection = await create()
    const open = await draft(collection, '1 Cindle')
    const imported: string[] = []
    for (const quantity of [2, 3, 4]) {
      app.advance(1_000)
      const id = await draft(collection, `${quantity} Cindle`)
      await store(id, 1)
      imported.push(id)
    }
    expect((await listOpen()).map(({ id }) => id)).toEqual([open])
    const replies = await Promise.all(imported.map((id) => send('GET', `/v1/imports/${id}`)))
    expect(replies.map(({ body }) => body.data.expires_at === null)).toEqual([true, false, false])
  })

  test('is listed until it is discarded or imported, the one that was changed last first', async () => {
    const app = await createTestApp()
    const calls = draftCallsOf(app, 'business')
    const { create, draft, decide, store, takeBack, listOpen } = calls
    const [first, second] = [await create(), await create()]
    const file = await draft(first, CSV, `&file_name=${encodeURIComponent('Müller & Co.csv')}`)
    app.advance(1_000)
    const list = await draft(second, '1 Cindle')
    const facts = ({ id, file_name, collection_id, rows }: CollectionImport) => {
      return [id, file_name, collection_id, rows]
    }
    const rows = [
      [list, null, second, 1],
      [file, 'Müller & Co.csv', first, 6],
    ]
    const open = await listOpen()
    expect(open.map(facts)).toEqual(rows)
    expect(open[0]).toEqual({ ...(await calls.get(list)), entries: [] })
    expect(await draftCallsOf(app, 'pro').listOpen()).toEqual([])
    app.advance(1_000)
    await decide(file, { kinds: [{ kind: 'guessed', state: 'skipped' }] })
    expect((await listOpen()).map(facts)).toEqual(rows.toReversed())
    await store(file, 2)
    expect((await listOpen()).map(({ id }) => id)).toEqual([list])
    await takeBack(list)
    expect(await listOpen()).toEqual([])
  })

  test('is listed while its import was interrupted, and not once that is undone', async () => {
    const app = await createTestApp()
    const { create, draft, listOpen, takeBack } = draftCallsOf(app, 'business')
    const collection_id = await create()
    const id = await draft(collection_id, CSV)
    const key = { collection_id, import_id: id }
    // The server stops after the import has begun.
    const { importRecords } = app.deps.ledger
    await importRecords.start(key, { revision: 1, rows: 2, max: 100 }, app.deps.now())
    expect(await listOpen()).toMatchObject([{ id, state: 'importing', rows: 6 }])
    await takeBack(id)
    expect(await listOpen()).toEqual([])
  })

  test('ends after a day, with its collection, and with its account; others cannot see it', async () => {
    const app = await createTestApp()
    const { create, draft, send, remove } = draftCallsOf(app, 'business')
    const [first, second] = [await create(), await create()]
    const ids = [await draft(first, CSV), await draft(second, CSV)]
    const get = async () => {
      const replies = await Promise.all(ids.map((id) => send('GET', `/v1/imports/${id}`)))
      return replies.map(({ status }) => status)
    }
    const foreign = await app.client.get(`/v1/imports/${ids[0]}`, { as: 'pro' })
    expectRefusal(foreign, 404, 'NOT_FOUND')
    expect(await get()).toEqual([200, 200])
    await remove(first, '')
    expect(await get()).toEqual([404, 200])
    app.advance(24 * 3_600_000)
    expect(await get()).toEqual([404, 404])
    const { importDrafts, lists } = app.deps.ledger
    while ((await importDrafts.purge(10, app.deps.now())) > 0);
    while ((await lists.purge(10)) > 0);
    for (const table of ['import_drafts', 'import_rows', 'import_changes', 'collection_imports']) {
      expect([table, app.ledgerDb().prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, []])
    }
  })

  test('is there for another day after each change, and while its import is continued', async () => {
    const app = await createTestApp()
    const { create, draft, decide, get, store, send } = draftCallsOf(app, 'business')
    const collection_id = await create()
    const id = await draft(collection_id, CSV)
    const [hours, day] = [20 * 3_600_000, 24 * 3_600_000]
    const expectDayLeft = async () =>
      expect((await get(id)).expires_at).toBe(
        new Date(app.deps.now().getTime() + day).toISOString(),
      )
    app.advance(hours)
    const changed = await decide(id, { kinds: [{ kind: 'guessed', state: 'accepted' }] })
    await expectDayLeft()
    expect(changed.expires_at).toBe((await get(id)).expires_at)
    app.advance(hours)
    // The server stops after the import has begun.
    const key = { collection_id, import_id: id }
    const start = { revision: 2, rows: 3, max: 100 }
    await app.deps.ledger.importRecords.start(key, start, app.deps.now())
    app.advance(hours)
    expect((await store(id, 2)).body.data).toMatchObject({ state: 'imported', imported: 3 })
    await expectDayLeft()
    app.advance(day)
    expect((await send('GET', `/v1/imports/${id}`)).body.data.expires_at).toBeNull()
  })

  test('of a file that is not understood does not exist', async () => {
    const { create, import: send } = draftCallsOf(testApp, 'business')
    const id = await create()
    const headers = { 'content-type': 'text/csv' }
    const path = `/v1/collections/${id}/import?draft=true`
    const reply = await testApp.client.request('POST', path, {
      as: 'business',
      body: 'Name,Quantity\0\n',
      headers,
    })
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
    expect(await send(id, '1 Cindle')).toMatchObject({ imported: 1, is_repeated: false })
  })
})

describe('a file that is read into a draft', () => {
  test('is interrupted if its draft has ended, and is then read again', async () => {
    const { app, send, importDrafts, draft, collection, get } = await openFile()
    const { finish } = importDrafts
    importDrafts.finish = async () => false
    expectRefusal(await send(CSV), 503, 'UNAVAILABLE')
    importDrafts.finish = finish
    const [known] = app.ledgerDb().prepare('SELECT import_id FROM import_drafts').all()
    const id = await draft(collection, CSV)
    expect(known).toEqual({ import_id: id })
    expect(await get(id)).toMatchObject({ state: 'draft', rows: 6 })
  })

  test('goes on after its last full part if the server stops', async () => {
    const { importDrafts, draft, collection, get } = await openFile()
    const { pause } = importDrafts
    const read: number[] = []
    importDrafts.pause = (reader, soFar) => {
      read.push(soFar.read_rows)
      return pause(reader, soFar)
    }
    const id = await draft(collection, Array(450).fill('1 Cindle').join('\n'))
    expect(read).toEqual([200, 400])
    expect((await get(id)).rows).toBe(450)
  })

  test('goes on after an error that is not its own, which its sender gets', async () => {
    const { app, send, importDrafts, draft, collection } = await openFile()
    const { finish, end } = importDrafts
    const fail = () => Promise.reject(new ServiceError('UNAVAILABLE', 'The ledger is away.'))
    importDrafts.finish = fail
    expect((await send(CSV)).text).toContain('The ledger is away.')
    importDrafts.finish = finish
    importDrafts.end = fail
    expectRefusal(await send('Name,Quantity\0\n'), 400, 'VALIDATION_ERROR')
    importDrafts.end = end
    const drafts = app.ledgerDb().prepare('SELECT import_id FROM import_drafts WHERE read_rows > 0')
    expect(drafts.all()).toEqual([{ import_id: await draft(collection, CSV) }])
  })
})

describe('a row', () => {
  test('gets another card, which is accepted, with its price, and the totals follow', async () => {
    const { id, decide, get } = await open()
    const changed = await decide(id, {
      rows: [
        { id: 'not_found-1', card_id: 900401, quantity: 2, condition: 'damaged', language: 'ja' },
        { id: 'guessed-1', printing: 'Foil', state: 'accepted' },
      ],
    })
    expect(changed.revision).toBe(2)
    expect(changed.entries).toMatchObject([
      {
        id: 'not_found-1',
        kind: 'not_found',
        state: 'accepted',
        is_changed: true,
        card: { card_id: 900401, name: 'T.S.V. Marigold' },
        quantity: 2,
        condition: 'damaged',
        language: 'ja',
        market_price: 5.12,
        value: 10.24,
      },
      { id: 'guessed-1', printing: 'Foil', market_price: 5.91, value: 17.73, state: 'accepted' },
    ])
    expect(sumsOf(changed, 'not_found')).toMatchObject({ accepted: 1, accepted_value: 10.24 })
    expect(sumsOf(changed, 'guessed')).toMatchObject({ accepted: 1, accepted_value: 17.73 })
    expect(await get(id, '?kind=not_found')).toEqual({
      ...changed,
      entries: [changed.entries[0]],
    } as never)
  })

  test('is skipped and opened, also with all others of its kind', async () => {
    const { id, decide, get } = await open()
    await decide(id, { rows: [{ id: 'certain-1', state: 'skipped' }] })
    expect(sumsOf(await get(id), 'certain')).toMatchObject({ accepted: 0, skipped: 1 })
    const all = await decide(id, {
      kinds: [
        { kind: 'certain', state: 'accepted' },
        { kind: 'guessed', state: 'accepted' },
        { kind: 'not_found', state: 'accepted' },
      ],
    })
    expect(sumsOf(all, 'certain')).toMatchObject({ accepted: 1, skipped: 0 })
    expect(sumsOf(all, 'guessed')).toMatchObject({ accepted: 1, accepted_value: 10.47 })
    // Rows without a card stay open.
    expect(sumsOf(all, 'not_found')).toMatchObject({ accepted: 0, skipped: 0 })
    const { entries } = await get(id)
    expect(entries.map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
      'open',
      'open',
      'open',
      'accepted',
    ])
  })

  test('has a state of its own until all of its kind get one, and keeps its card', async () => {
    const { id, decide, get } = await open('1 Cindle\n1 Tide Clerk')
    const assumed = (state: 'accepted' | 'skipped') => [{ kind: 'assumed' as const, state }]
    const statesOf = async () => (await get(id)).entries.map(({ state }) => state)
    await decide(id, { rows: [{ id: 'assumed-1', state: 'skipped', quantity: 7 }] })
    expect(await statesOf()).toEqual(['skipped', 'accepted'])
    await decide(id, { kinds: assumed('accepted') })
    expect(await statesOf()).toEqual(['accepted', 'accepted'])
    const changed = await decide(id, {
      kinds: assumed('skipped'),
      rows: [{ id: 'assumed-2', state: 'accepted' }],
    })
    expect(sumsOf(changed, 'assumed')).toMatchObject({ accepted: 1, skipped: 1 })
    expect(await statesOf()).toEqual(['skipped', 'accepted'])
    expect((await get(id)).entries[0]).toMatchObject({ is_changed: true, quantity: 7 })
  })

  test('is refused with a card, a printing or an id that does not exist', async () => {
    const { id, send, get } = await open()
    const patch = (row: object) => send('PATCH', `/v1/imports/${id}`, { rows: [row] })
    expectRefusal(await patch({ id: 'guessed-2', state: 'skipped' }), 404, 'NOT_FOUND')
    expectRefusal(await patch({ id: 'nothing-1', state: 'skipped' }), 404, 'NOT_FOUND')
    expectRefusal(await patch({ id: 'guessed-1', card_id: 1 }), 404, 'NOT_FOUND')
    expectRefusal(await patch({ id: 'guessed-1', printing: 'Gold' }), 400, 'VALIDATION_ERROR')
    expectRefusal(await patch({ id: 'not_found-1', state: 'accepted' }), 400, 'VALIDATION_ERROR')
    expect((await get(id)).revision).toBe(1)
  })

  test('of an older revision is refused with the current draft', async () => {
    const { id, send, decide } = await open()
    await decide(id, { revision: 1, kinds: [{ kind: 'assumed', state: 'skipped' }] })
    const json = { revision: 1, rows: [{ id: 'certain-1', state: 'skipped' }] }
    const reply = await send('PATCH', `/v1/imports/${id}`, json)
    expectRefusal(reply, 409, 'REVISION_CONFLICT')
    expect(JSON.parse(reply.text).error.current).toMatchObject({ id, revision: 2 })
  })
})

describe('the import of a draft', () => {
  test('stores the accepted rows in the order of the file, and once', async () => {
    const { id, collection, decide, store, items } = await open()
    await decide(id, { kinds: [{ kind: 'guessed', state: 'accepted' }] })
    const [first, second] = await Promise.all([store(id, 2), store(id, 2)])
    expect(first.body.data).toMatchObject({ state: 'imported', imported: 3, revision: 3 })
    expect(second.body.data).toEqual(first.body.data)
    expect((await store(id, 2)).body.data).toEqual(first.body.data)
    expect(
      (await items(collection, '?sort=added_asc')).map(({ name, quantity, place }) => {
        return [name, quantity, place]
      }),
    ).toEqual([
      ['Cindle', 2, 'Box 1'],
      ['Tide Clerk', 1, 'Box 1'],
      ['Whisht', 3, null],
    ])
  })

  test('is refused after a change in another tab, and changes are refused after it', async () => {
    const { id, decide, store, send } = await open()
    await decide(id, { kinds: [{ kind: 'guessed', state: 'accepted' }] })
    expectRefusal(await store(id, 1), 409, 'REVISION_CONFLICT')
    expect((await store(id, 2)).status).toBe(200)
    const late = await send('PATCH', `/v1/imports/${id}`, {
      rows: [{ id: 'certain-1', state: 'skipped' }],
    })
    expectRefusal(late, 409, 'REVISION_CONFLICT')
  })

  test('needs room for all accepted rows, or stores nothing', async () => {
    const app = await createTestApp()
    const { create, draft, store, items, import: send, get } = draftCallsOf(app, 'free')
    const collection = await create()
    const rows = (count: number) => Array(count).fill('1 Cindle').join('\n')
    await send(collection, rows(495))
    const id = await draft(collection, rows(6))
    expect((await get(id)).room).toBe(5)
    expectRefusal(await store(id, 1), 409, 'COLLECTION_FULL')
    expect(await items(collection, '?page=5&per_page=100')).toHaveLength(95)
    expect((await get(id)).state).toBe('draft')
  })

  test('has a row that counts copies of two printings once in the file of failed rows', async () => {
    const { id, failed } = await open('Name,Normal,Foil\nNobody at all,2,1\nNo One,1,0')
    expect(await failed(id)).toEqual([
      'Name,Normal,Foil,reason',
      'Nobody at all,2,1,no_match',
      'No One,1,0,no_match',
      '',
    ])
  })

  test('leaves only the copies that failed of a row whose other copies are imported', async () => {
    const { id, failed, decide, get } = await open(
      'Name,Set,Normal,Foil\nCindle,TPP,2,1\nTide Clerk,,3,4\nCindle,TPP,1,0',
    )
    const { entries } = await get(id)
    const skip = async (row: number, quantity: number) => {
      const one = entries.find((entry) => entry.row === row && entry.quantity === quantity)
      await decide(id, { rows: [{ id: one?.id ?? '', state: 'skipped' }] })
    }
    expect(await failed(id)).toEqual(['Name,Set,Normal,Foil,reason', ''])
    await skip(1, 1)
    await skip(2, 3)
    expect(await failed(id)).toEqual([
      'Name,Set,Normal,Foil,reason',
      'Cindle,TPP,0,1,skipped_by_you',
      'Tide Clerk,,3,0,skipped_by_you',
      '',
    ])
    await skip(1, 2)
    expect((await failed(id))[1]).toBe('Cindle,TPP,2,1,skipped_by_you')
  })

  test('says which rows of the file of failed rows are cut because they are very long', async () => {
    const text = 'long '.repeat(2_000)
    const { id, failed, get } = await open(
      `Name,Quantity,Note\nNobody at all,1,${text}\nNo One,1,short\nCindle,1,${text}`,
    )
    const { entries } = await get(id, '?kind=not_found')
    expect(entries.map(({ notes }) => notes.includes('row_cut'))).toEqual([true, false])
    expect(await failed(id)).toEqual([
      'Name,Quantity,Note,reason',
      `Nobody at all,1,${text.slice(0, 1_666)},"no_match, row_cut"`,
      'No One,1,short,no_match',
      '',
    ])
  })

  test('never counts as complete without the rows of its draft', async () => {
    const { deps, ...app } = await createTestApp()
    const { create, draft, store, get } = draftCallsOf({ deps, ...app }, 'business')
    const collection_id = await create()
    const id = await draft(collection_id, CSV)
    const key = { collection_id, import_id: id }
    const now = deps.now()
    await deps.ledger.importRecords.start(key, { revision: 1, rows: 2, max: 100 }, now)
    // A part of the rows is deleted, as after the end of the draft.
    await deps.ledger.importDrafts.purge(1, new Date(now.getTime() + 2 * 24 * 3_600_000))
    expectRefusal(await store(id, 1), 404, 'NOT_FOUND')
    expect((await get(id)).state).toBe('importing')
  })

  test('leaves a file with the columns that were sent, and why each row failed', async () => {
    const { id, failed, decide, store } = await open()
    await decide(id, { rows: [{ id: 'certain-1', state: 'skipped' }] })
    const expected = [
      'Name,Set,Number,Quantity,Binder Type,Place,reason',
      'Cindle,TPP,001/020,2,,Box 1,skipped_by_you',
      'Whisht,Drowned Abbey,77,3,,,guessed',
      "'=Nobody,,,1,,,no_match",
      'Cindle,TPP,001/020,1,list,,in_list',
      '',
    ]
    expect(await failed(id)).toEqual(expected)
    await store(id, 2)
    expect(await failed(id)).toEqual(expected)
  })
})

describe('a file whose import has not ended', () => {
  test('is not imported a second time without its draft, until that is undone', async () => {
    const { app, send, collection, draft, takeBack, import: importFile } = await openFile()
    const id = await draft(collection, CSV)
    const key = { collection_id: collection, import_id: id }
    const { importRecords } = app.deps.ledger
    await importRecords.start(key, { revision: 1, rows: 2, max: 100 }, app.deps.now())
    const refused = await send(CSV, '')
    expectRefusal(refused, 400, 'VALIDATION_ERROR')
    expect(refused.text).toContain(id)
    await takeBack(id)
    expect(await importFile(collection, CSV)).toMatchObject({ imported: 2, is_repeated: false })
  })

  test('is not imported a second time from a draft, until it goes on', async () => {
    const { app, collection, draft, store, get, items, import: importFile } = await openFile()
    const { collectionImports } = app.deps.ledger
    const { complete } = collectionImports
    collectionImports.complete = async () => undefined
    const { import_id } = await importFile(collection, CSV)
    collectionImports.complete = complete
    const id = await draft(collection, CSV)
    const refused = await store(id, 1)
    expectRefusal(refused, 400, 'VALIDATION_ERROR')
    expect(refused.text).toContain(import_id)
    expect((await get(id)).state).toBe('draft')
    await importFile(collection, CSV)
    expect(await items(collection)).toHaveLength(2)
    expect((await store(id, 1)).status).toBe(200)
  })
})

describe('an undo', () => {
  test('removes the items that were not changed since, and names the others', async () => {
    const { id, collection, store, items, change, takeBack, add, summary, draft, get } =
      await open()
    await add(collection, [{ card_id: 900401 }])
    await store(id, 1)
    const all = await items(collection)
    const clerk = all.find(({ name }) => name === 'Tide Clerk')
    await change(collection, clerk?.id ?? '', { note: 'Signed' })
    const undone = await takeBack(id, '?revision=2')
    expect(undone.body.data).toMatchObject({
      state: 'undone',
      imported: 2,
      removed: 1,
      kept: [{ item_id: clerk?.id, card_id: 900210, name: 'Tide Clerk' }],
      kept_count: 1,
      undo_until: null,
    })
    expect((await takeBack(id, '?revision=2')).body.data).toEqual(undone.body.data)
    const names = (await items(collection, '?sort=name')).map(({ name }) => name)
    expect(names).toEqual(['T.S.V. Marigold', 'Tide Clerk'])
    expect(await summary(collection)).toMatchObject({ items: 2, copies: 2 })
    // The file counts as not imported.
    expect((await get(await draft(collection, CSV))).is_repeated).toBe(false)
  })

  test('that was interrupted names no unchanged item, and continues', async () => {
    const { id, collection, store, get, takeBack, items, change } = await open()
    await store(id, 1)
    const [first] = await items(collection)
    await change(collection, first?.id ?? '', { note: 'Signed' })
    // The server stops after the undo has begun.
    const { importRecords } = testApp.deps.ledger
    await importRecords.undo({ collection_id: collection, import_id: id }, 2, testApp.deps.now())
    expect(await get(id)).toMatchObject({
      state: 'undoing',
      removed: 0,
      kept: [{ item_id: first?.id }],
      kept_count: 1,
    })
    expectRefusal(await store(id, 3), 409, 'REVISION_CONFLICT')
    expect((await takeBack(id, '?revision=3')).body.data).toMatchObject({
      state: 'undone',
      removed: 1,
      kept_count: 1,
    })
  })

  test('of the second import of a file leaves the first, so that the file adds nothing', async () => {
    const { create, import: send, items, takeBack } = draftCallsOf(testApp, 'business')
    const id = await create()
    await send(id, CSV)
    const { import_id } = await send(id, CSV, '?again=true')
    await takeBack(import_id)
    expect(await send(id, CSV)).toMatchObject({ imported: 2, is_repeated: true })
    expect(await items(id)).toHaveLength(2)
  })

  test('works for an import without a draft, whose file can be imported again', async () => {
    const { create, import: send, items, get, takeBack, store } = draftCallsOf(testApp, 'business')
    const id = await create()
    const { import_id } = await send(id, CSV)
    expect(await get(import_id)).toMatchObject({ state: 'imported', imported: 2, entries: [] })
    expectRefusal(await store(import_id, 7), 409, 'REVISION_CONFLICT')
    expect((await takeBack(import_id)).body.data).toMatchObject({ state: 'undone', removed: 2 })
    expect(await items(id)).toEqual([])
    expect(await send(id, CSV)).toMatchObject({ imported: 2, is_repeated: false })
  })

  test('is possible for 30 days', async () => {
    const app = await createTestApp()
    const { create, import: send, takeBack, items } = draftCallsOf(app)
    const id = await create()
    const { import_id } = await send(id, CSV)
    app.advance(30 * 24 * 3_600_000)
    expectRefusal(await takeBack(import_id), 404, 'NOT_FOUND')
    expect(await items(id)).toHaveLength(2)
  })

  test('of a draft discards it, and never undoes what another tab has imported', async () => {
    const { id, takeBack, send, store } = await open()
    await store(id, 1)
    expectRefusal(await takeBack(id, '?revision=1'), 409, 'REVISION_CONFLICT')
    const other = await open()
    expect((await other.takeBack(other.id, '?revision=1')).body.data.state).toBe('draft')
    expectRefusal(await send('GET', `/v1/imports/${other.id}`), 404, 'NOT_FOUND')
    expectRefusal(await other.store(other.id, 1), 404, 'NOT_FOUND')
  })
})
