// Resolving a collection on the sample catalog, from the file to the report.
import { afterAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { parseCollection } from '#actions/matching/parse-collection.ts'
import { createCollectionReport, renderCollection } from '#actions/matching/render-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { openCardIdWriter } from '#store/catalog/ids/card-ids.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()
afterAll(() => testApp.close())

const resolved = (text: string, game?: string) =>
  resolveCollection(testApp.deps, parseCollection(new TextEncoder().encode(text)), { game })

/** Returns the report of a file. */
const report = (text: string, game?: string) => createCollectionReport(resolved(text, game))

/** Returns the only row of a report. */
async function rowOf(text: string, game?: string) {
  const { data } = await report(text, game)
  expect(data).toMatchObject({ unmatched: [] })
  expect(data.rows).toHaveLength(1)
  const row = data.rows[0]
  if (row === undefined) throw new Error('no row')
  return row
}

/** Parses the CSV of a file with an independent parser: a list of records with the columns as names. */
async function tableOf(text: string): Promise<Record<string, string>[]> {
  const pieces = await Array.fromAsync(renderCollection(resolved(text), 'csv'))
  return parse(pieces.join(''), { columns: true })
}

describe('a resolved row', () => {
  test('has the input, the card, its printing, the price and the value', async () => {
    const text =
      'Count,Name,Edition,Collector Number,Foil\n3,Cindle,Tidepool Parade,001/020,Reverse Holofoil\n'
    expect(await rowOf(text, 'wickerwild')).toEqual({
      row: 1,
      quantity: 3,
      query: {
        name: 'Cindle',
        game: null,
        set: 'Tidepool Parade',
        number: '001/020',
        printing: 'Reverse Holofoil',
        product_id: null,
      },
      match: {
        card: {
          id: 900101,
          name: 'Cindle',
          marketplace_id: 900101,
          number: '001/020',
          game_slug: 'wickerwild',
          game_name: 'Wickerwild Creature Duels',
          set_name: 'Tidepool Parade',
          set_slug: 'tidepool-parade',
          image_url: 'https://cards.example/pictures/900101.webp',
        },
        printing: 'Reverse Holofoil',
        market_price: 0.58,
        low_price: expect.any(Number),
        confidence: 'exact',
        certainty: 'certain',
        corrected_name: undefined,
      },
      value: 1.74,
      alternatives: [],
      notes: [],
    })
  })

  test('is found by its product id, whatever its set is called', async () => {
    const row = await rowOf('Name,Set,Product ID\nCindle,Some Other Name,900101\n')
    expect(row).toMatchObject({ match: { card: { id: 900101 }, confidence: 'exact' }, notes: [] })
    expect(await rowOf('Product ID\n900101\n')).toMatchObject({ match: { card: { id: 900101 } } })
  })

  test.each(['900101', '123', 'OGN-001', '99999999999999999999'])(
    'is found by its name if the product id %p is unknown or of another card',
    async (id) => {
      expect(await rowOf(`Name,Product ID\nMarginwyrm,${id}\n`)).toMatchObject({
        match: { card: { id: 900205 } },
        notes: ['product_id_not_found', 'printing_assumed'],
      })
    },
  )

  test('accepts several notations of game and set', async () => {
    for (const game of ['wickerwild', 'Wickerwild', 'WICKERWILD TCG']) {
      for (const set of ['TPP', 'tpp', 'Tidepool Parade', 'tidepool-parade']) {
        const row = await rowOf(`Name,Game,Set\nCindle,${game},${set}\n`)
        expect(row).toMatchObject({ match: { card: { id: 900101 } }, notes: [] })
      }
    }
  })

  test('is found by the name of its set if the code belongs to another', async () => {
    expect(await rowOf('Name,Set Code,Set Name\nCindle,OTHER,Tidepool Parade\n')).toMatchObject({
      match: { card: { id: 900101 } },
      notes: [],
    })
  })

  test('is found by the front face if it names both', async () => {
    expect(await rowOf('Name\nMarginwyrm // Nobody at All\n')).toMatchObject({
      match: { card: { id: 900205 } },
    })
    expect(await rowOf('Name\nLamplight // Long Shadow\n')).toMatchObject({
      match: { card: { id: 900219 } },
    })
  })

  test.each([
    ['Name,Set\nMarginwyrm,No Such Set\n', 'set_not_found'],
    ['Name,Set\nMarginwyrm,Drowned Abbey\n', 'not_in_set'],
    ['Name,Game\nMarginwyrm,No Such Game\n', 'game_not_found'],
    ['Name,Printing,Set\nMarginwyrm,1st Edition,The Ninth Library\n', 'printing_not_found'],
  ] as const)('names the ignored input: %p', async (text, note) => {
    expect(await rowOf(text)).toMatchObject({ match: { card: { id: 900205 } }, notes: [note] })
  })

  test('is the card of its name that has its printing, if one does', async () => {
    // The more expensive Cindle exists only as 1st Edition and Unlimited.
    expect(await rowOf('Name\nCindle\n')).toMatchObject({ match: { card: { id: 900101 } } })
    expect(await rowOf('Name,Printing\nCindle,1st Edition\n')).toMatchObject({
      match: { card: { id: 900001 } },
      notes: ['printing_assumed'],
    })
    for (const cell of ['foil', 'yes', 'Reverse Holo']) {
      expect(await rowOf(`Name,Foil\nCindle,${cell}\n`)).toMatchObject({
        match: { card: { id: 900101 }, printing: 'Reverse Holofoil' },
        notes: ['printing_assumed'],
      })
    }
    expect(await rowOf('Name,Foil,Set\nCindle,foil,Lantern Season\n')).toMatchObject({
      match: { card: { id: 900001 } },
      notes: ['printing_not_found'],
    })
    expect(await rowOf('Name,Foil,Set\nCindle,foil,No Such Set\n')).toMatchObject({
      match: { card: { id: 900101 } },
      notes: ['set_not_found'],
    })
  })

  test.each([
    ['Product ID\n900101\n', 'certain'],
    ['Name,Set\nCindle,TPP\n', 'certain'],
    ['Name\nMarginwyrm\n', 'assumed'],
    ['Name,Game\nMarginwyrm,No Such Game\n', 'guessed'],
    ['Name\nMarginwurm\n', 'guessed'],
  ] as const)('says how sure it is: %p', async (text, certainty) => {
    expect(await rowOf(text)).toMatchObject({ match: { certainty } })
  })

  test('lists alternative cards', async () => {
    const { match, alternatives } = await rowOf('Name\nWhisht\n')
    const ids = [match.card.id, ...alternatives.map(({ id }) => id)]
    expect(ids.toSorted()).toEqual([900208, 900305])
    expect(Object.keys(alternatives[0] ?? {})).toEqual(Object.keys(match.card))
  })

  test.each([
    ['', 'Normal', 5.6],
    ['foil', 'Foil', 12.66],
    ['Normal', 'Normal', 5.6],
    ['etched', 'Foil', 12.66],
  ])('with the printing %p has the price of %s', async (foilCell, printing, price) => {
    expect(await rowOf(`Name,Foil\nMarginwyrm,${foilCell}\n`)).toMatchObject({
      match: { printing, market_price: price },
    })
  })
})

test("a row of Cardmarket's stock is found by the product that the catalog knows", async () => {
  openCardIdWriter(testApp.catalogDb).replace(
    'cardmarket',
    [{ id: '743311', card_id: 900101, printing: null }],
    testApp.deps.now(),
  )
  const { data } = await report(
    'idProduct;groupCount;price;idLanguage;condition;isFoil\n743311;2;1;1;2;1\n999999;1;1;1;2;\n',
  )
  expect(data.rows).toMatchObject([
    {
      row: 1,
      quantity: 2,
      match: { card: { id: 900101 }, printing: 'Reverse Holofoil', confidence: 'exact' },
    },
  ])
  expect(data.unmatched).toMatchObject([{ row: 2, reason: 'no_match' }])
})

test('a row whose name no card has suggests the nearest names', async () => {
  const suggestionsFor = async (name: string) => {
    const { data } = await report(`Name\n"${name}"\n`)
    expect(data).toMatchObject({ rows: [], unmatched: [{ reason: 'no_match' }] })
    return data.unmatched.flatMap(({ alternatives = [] }) => alternatives.map((card) => card.name))
  }
  expect(await suggestionsFor('Marginwyrm Hatch')).toEqual(['Marginwyrm Hatchling'])
  expect(await suggestionsFor('Margunwurm')).toEqual(['Marginwyrm'])
  expect(await suggestionsFor('Marginwyrm Hatch (Foil)')).toContain('Marginwyrm Hatchling')
  expect(await suggestionsFor('Qzxqzx')).toEqual([])
})

test('only the first 1,000 rows without a card suggest names', async () => {
  const { data } = await report(`Name\n${'Margunwurm\n'.repeat(1_002)}`)
  const suggested = data.unmatched.map(({ alternatives = [] }) => alternatives.length)
  expect(suggested).toEqual([...Array<number>(1_000).fill(1), 0, 0])
})

describe('an unresolved row', () => {
  test.each([
    ['Name\nNo Such Card At All\n', 'No Such Card At All', 'no_match'],
    ['Name,Quantity\nMarginwyrm,0\n', 'Marginwyrm', 'no_copies'],
    ['Name,Proxy\nMarginwyrm,true\n', 'Marginwyrm', 'proxy'],
    ['Name,Watchlist\nMarginwyrm,true\n', 'Marginwyrm', 'on_watchlist'],
    ['Name,Binder Type\nMarginwyrm,list\n', 'Marginwyrm', 'in_list'],
    ['Name,Binder Type\nMarginwyrm,deck\n', 'Marginwyrm', 'in_deck'],
    ['Name,Quantity\nMarginwyrm,many\n', 'Marginwyrm', 'invalid_quantity'],
    ['Name,Quantity\n,2\n', null, 'no_name'],
    ['Product ID\n123\n', null, 'no_match'],
  ] as const)('of %p has a reason', async (text, name, reason) => {
    const { data, meta } = await report(text)
    expect(data).toMatchObject({ rows: [], unmatched: [{ row: 1, name, reason }], total_value: 0 })
    expect(data.unmatched[0]?.query.name).toBe(name)
    expect(meta).toEqual({ total_requested: 1, total_matched: 0, unpriced: 0 })
  })
})

describe('the total', () => {
  test('sums cents, and counts unknown prices', async () => {
    // In floating point, 1.2 + 39.2 is 40.400000000000006.
    const text =
      'Quantity,Name,Set,Foil\n10,Cindle,TPP,\n1,Barnaclob,TPP,Reverse Holofoil\n7,Marginwyrm,,\n,Nobody,,\n'
    const { data, meta } = await report(text)
    expect(meta).toEqual({ total_requested: 4, total_matched: 3, unpriced: 1 })
    expect(data.rows.map(({ value }) => value)).toEqual([1.2, null, 39.2])
    expect(data.total_value).toBe(40.4)
  })

  test('of many rows is exact', async () => {
    const { data } = await report(`Name,Set\n${'Cindle,TPP\n'.repeat(1_001)}`)
    expect(data.total_value).toBe(120.12)
    expect(data.rows.map(({ row }) => row)).toEqual([...Array(1_001).keys()].map((row) => row + 1))
  })
})

test('an unknown default game is rejected', async () => {
  await expect(report('Name\nCindle\n', 'no-such-game')).rejects.toMatchObject({
    code: 'INVALID_GAME',
  })
  expect(await rowOf('Name,Game\nSalt Psalm,\n', 'vellum-and-thorn')).toMatchObject({
    notes: ['printing_assumed'],
  })
})

test('streamed JSON equals the report with its counts, also without resolved rows', async () => {
  for (const text of ['Name\nCindle\nNobody\nWhisht\n', 'Name\nNobody\n']) {
    const pieces = await Array.fromAsync(renderCollection(resolved(text), 'json'))
    const { data, meta } = await report(text)
    expect(JSON.parse(pieces.join(''))).toEqual(JSON.parse(JSON.stringify({ ...data, meta })))
  }
})

describe('the table', () => {
  test('has a record for each row of the file, in order, and the total at the end', async () => {
    const table = await tableOf(
      'Quantity,Name,Set,Number\n2,Cindle,TPP,001/020\n0,Whisht,,\n1,Nobody,X,\n1,Marginwyrm,X,\n',
    )
    expect(table.map(({ row, name, reason, value }) => [row, name, reason, value])).toEqual([
      ['1', 'Cindle', '', '0.24'],
      ['2', 'Whisht', 'no_copies', ''],
      ['3', 'Nobody', 'no_match', ''],
      ['4', 'Marginwyrm', '', '5.6'],
      ['total', '', '', '5.84'],
    ])
    expect(table[0]).toEqual({
      row: '1',
      quantity: '2',
      name: 'Cindle',
      set: 'TPP',
      number: '001/020',
      card_id: '900101',
      matched_name: 'Cindle',
      matched_set: 'Tidepool Parade',
      matched_number: '001/020',
      game: 'wickerwild',
      printing: 'Normal',
      market_price: '0.12',
      value: '0.24',
      confidence: 'exact',
      certainty: 'certain',
      notes: '',
      reason: '',
    })
    expect(table[3]?.notes).toBe('set_not_found')
  })

  test.each(['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)'])(
    'writes %p as text that no spreadsheet runs',
    async (formula) => {
      const cell = `"${formula.replaceAll('"', '""')}"`
      const [record] = await tableOf(`Quantity,Name,Set,Number\n${cell},${cell},${cell},${cell}\n`)
      const { quantity, name, set, number } = record ?? {}
      expect([quantity, name, set, number]).toEqual(Array(4).fill(`'${formula}`))
    },
  )

  test('returns every text unchanged', async () => {
    const names = ['"quoted"', 'a,b', 'two\r\nlines', 'semi;colon', 'tab\there', 'Ω 漢字', "it's"]
    const cells = names.map((name) => `"${name.replaceAll('"', '""')}"`)
    const table = await tableOf(`Name\r\n${cells.join('\r\n')}\r\n`)
    expect(table.map(({ name }) => name)).toEqual([...names, ''])
  })

  test('can be resolved again', async () => {
    const first = await Array.fromAsync(
      renderCollection(resolved('Quantity,Name,Set\n3,Whisht,Drowned Abbey\n'), 'csv'),
    )
    const { data } = await report(first.join(''))
    expect(data.rows).toMatchObject([
      { quantity: 3, match: { card: { id: 900305 } }, value: 10.47 },
    ])
    expect(data.unmatched).toMatchObject([{ row: 2, name: null, reason: 'no_name' }])
  })
})

test('a collection is resolved without blocking the event loop', async () => {
  const text = `Quantity,Name,Set,Product ID\n${'2,Cindle,Tidepool Parade,900101\n'.repeat(20_000)}`
  let turns = 0
  const counter = setInterval(() => turns++, 1)
  const { meta } = await report(text)
  clearInterval(counter)
  expect(meta.total_matched).toBe(20_000)
  // A slice of 50 rows takes a fraction of a millisecond. Without pauses, there would be no turn at all.
  expect(turns).toBeGreaterThan(20)
})
