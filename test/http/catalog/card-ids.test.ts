import { beforeAll, describe, expect, test } from 'bun:test'
import { importCardIds } from '#actions/catalog/import-card-ids.ts'
import { openCardIdWriter } from '#store/catalog/ids/card-ids.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

type Card = { id: number; ids?: { source: string; id: string; printing: string | null }[] }

const get = <T>(path: string) => testApp.client.get<T>(path, { as: 'business' })

const importFile = (text: string, source = 'my-shop') =>
  importCardIds(
    { catalogWriter: { cardIds: openCardIdWriter(testApp.catalogDb) }, now: testApp.deps.now },
    source,
    Buffer.from(text),
  )

const FILE = `id,card_id,printing
A-17,900401,
"Crate 3, row 4",900401,Foil
0815,900402,
`

describe('ids of an own system', () => {
  beforeAll(() => {
    expect(importFile(FILE)).toEqual({ ids: 3, errors: [] })
  })

  test('find their cards, as the marketplace does', async () => {
    for (const [path, id] of [
      ['my-shop/A-17', 900401],
      ['my-shop/Crate%203%2C%20row%204', 900401],
      ['my-shop/0815', 900402],
      ['tcgplayer/900402', 900402],
    ] as const) {
      const { status, body } = await get<Card>(`/v1/cards/by-id/${path}`)
      expect([status, body.data.id]).toEqual([200, id])
      const { body: own } = await get<Card>(`/v1/cards/marketplace/${id}`)
      expect(body.data).toEqual(own.data)
    }
  })

  test.each(['my-shop/A-18', 'other/A-17', 'tcgplayer/0900402', 'tcgplayer/1', 'tcgplayer/A-17'])(
    '%s is of no card',
    async (path) => {
      expectRefusal(await get(`/v1/cards/by-id/${path}`), 404, 'NOT_FOUND')
    },
  )

  test('find cards beside the products of another marketplace', async () => {
    testApp.catalogDb
      .prepare(
        `INSERT INTO source_products (source, id, source_game, expansion_id, name, is_sealed, card_id)
         VALUES ('cardmarket', 273532, 6, 1585, 'Marigold', 0, 900402), ('cardmarket', 273533, 6, 1585, 'Rust', 0, NULL)`,
      )
      .run()
    const { body } = await get<Card>('/v1/cards/by-id/cardmarket/273532?include=ids')
    expect(body.data.ids).toContainEqual({ source: 'cardmarket', id: '273532', printing: null })
    expect(body.data.id).toBe(900402)
    for (const id of ['273533', '0273532', '273532x']) {
      expect((await get(`/v1/cards/by-id/cardmarket/${id}`)).status).toBe(404)
    }
  })

  test('are listed with each card if the request includes them', async () => {
    const own = [
      { source: 'tcgplayer', id: '900401', printing: null },
      { source: 'my-shop', id: 'A-17', printing: null },
      { source: 'my-shop', id: 'Crate 3, row 4', printing: 'Foil' },
    ]
    const { body: card } = await get<Card>('/v1/cards/900401?include=ids')
    expect(card.data.ids).toEqual(own)
    const { body: cards } = await get<Card[]>('/v1/bulk/cards?ids=900401,900405&include=ids')
    expect(cards.data.map(({ ids }) => ids)).toEqual([
      own,
      [{ source: 'tcgplayer', id: '900405', printing: null }],
    ])
    const { body: plain } = await get<Card>('/v1/cards/900401')
    expect(plain.data).not.toHaveProperty('ids')
  })

  test('are replaced by the next file, and rows with errors are named by line', async () => {
    const report = importFile(
      `ID;Card_ID
B-1;900401
B-2;12
B-3;Marigold
B-1;900402
;900401
`,
      'second-shop',
    )
    expect(report).toEqual({
      ids: 1,
      errors: [
        { line: 3, reason: 'The catalog has no card 12.' },
        { line: 4, reason: '"Marigold" is not the ID of a card.' },
        { line: 5, reason: '"B-1" already belongs to another card in an earlier row.' },
        { line: 6, reason: 'The id must have 1 to 100 characters.' },
      ],
    })
    importFile('id,card_id\nB-9,900402\n', 'second-shop')
    expect((await get('/v1/cards/by-id/second-shop/B-1')).status).toBe(404)
    expect((await get('/v1/cards/by-id/second-shop/B-9')).status).toBe(200)
    expect((await get('/v1/cards/by-id/my-shop/A-17')).status).toBe(200)
  })

  test('counts lines like a spreadsheet, including empty rows and separators', () => {
    const { ids, errors } = importFile('sep=;\nid;card_id\n;\nC-1;900401\nC-2;x\n', 'third-shop')
    expect([ids, errors.map(({ line }) => line)]).toEqual([1, [5]])
  })

  test.each([
    ['tcgplayer', 'id,card_id\n', 'is a marketplace'],
    ['My Shop', 'id,card_id\n', 'lowercase letters'],
    ['my-shop', 'article,card\n1,2\n', 'the columns id, card_id'],
    ['my-shop', '', 'the columns id, card_id'],
  ])('of %s in the file %j are refused', (source, text, message) => {
    expect(() => importFile(text, source)).toThrow(message)
  })
})
