// Lists in the formats of apps, resolved against the sample catalog.
import { afterAll, describe, expect, test } from 'bun:test'
import { readList } from '#actions/matching/parse-collection.ts'
import { createCollectionReport } from '#actions/matching/render-collection.ts'
import { resolveList } from '#actions/matching/resolve-list.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { openCardIdWriter } from '#store/catalog/ids/card-ids.ts'
import { countTurns } from '../../support/event-loop-turns.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()
afterAll(() => testApp.close())

const report = (list: string, game?: string) =>
  createCollectionReport(resolveList(testApp.deps, list, { game }))

/** Returns the only row of a list. */
async function rowOf(line: string) {
  const { data } = await report(line)
  const row = data.rows[0]
  if (row === undefined) throw new Error(`${line}: ${JSON.stringify(data.unmatched)}`)
  return row
}

describe('a variant that is a product of its own', () => {
  test.each([
    ['1 Crown of Low Water (Borderless)', 'printing_assumed'],
    ['1 Crown of Low Water (Borderless) DAB'],
    ['1 Crown of Low Water (Borderless) (DAB) 17'],
    ['1 Crown of Low Water (DAB) 17 (Borderless)'],
  ])('is taken by the line %p', async (line, ...notes) => {
    expect(await rowOf(line)).toMatchObject({ match: { card: { id: 900317 } }, notes })
  })

  test('that no card of the number has is a note, and a guess', async () => {
    expect(await rowOf('1 Crown of Low Water (DAB) 15 (Borderless)')).toMatchObject({
      match: { card: { id: 900315 }, certainty: 'guessed' },
      notes: ['words_ignored', 'printing_not_found'],
    })
  })

  test('is not named by other words in brackets', async () => {
    // Names, and parts of names.
    for (const tag of ['[Marginwyrm]', '{Crown}', '[Hatch]']) {
      expect(await rowOf(`1 Whisht (DAB) 5 ${tag}`)).toMatchObject({
        match: { card: { id: 900305 }, certainty: 'certain' },
        notes: [],
      })
    }
    expect(await rowOf('1 Cindle (TPP) 1 (from a friend)')).toMatchObject({
      match: { card: { id: 900101 }, certainty: 'certain' },
      notes: ['words_ignored'],
    })
  })
})

test('a short word that is the code of a set is a guess without a number', async () => {
  expect(await rowOf('1 Cindle tpp')).toMatchObject({ match: { certainty: 'guessed' } })
  expect(await rowOf('1 Cindle TPP')).toMatchObject({ match: { certainty: 'certain' } })
  expect(await rowOf('1 Cindle (tpp)')).toMatchObject({ match: { certainty: 'certain' } })
  expect(await rowOf('1 Cindle tpp 1')).toMatchObject({ match: { certainty: 'certain' } })
  expect(await rowOf('1 Cindle Tidepool Parade')).toMatchObject({ match: { certainty: 'certain' } })
})

describe('a line', () => {
  test.each([
    '4 Cindle TPP 1',
    '4x Cindle [TPP] 1/20',
    '4 Cindle (tpp) 001',
    '(4) cindle tpp 001/020',
    '4 Cindle Tidepool Parade 1',
    '4 Cindle <Tidepool Parade> #1',
    '4 [TPP#1] Cindle',
    '4 Cindle|TPP|1',
    'Cindle TPP 1 x4',
    'SB: 4 Cindle (TPP:1)',
    '* 4 Cindl TPP 1',
    '4 Cindle (TPP) 1 [Ramp] ^Have,#37d67a^',
    '4\tCindle\tTPP\t1',
    '4 Cindle (TPP) 1 NM',
    '4 Cindle (TPP) 1 [Ramp] near mint (EN)',
    '4 Cindle (TPP) 1 // for the deck',
    '4 Cindle (TPP) 1 [Ramp{top}]',
  ])('%p is the card of the set with the number', async (line) => {
    expect(await rowOf(line)).toMatchObject({
      quantity: 4,
      match: { card: { id: 900101, name: 'Cindle' } },
      notes: [],
    })
  })

  test.each([
    ['4 Cindle XYZ 1', 'Cindle', ['set_not_found']],
    ['4 Cindle (XYZ)', 'Cindle', ['set_not_found']],
    ['4 Cindle TPP 999', 'Cindle', ['number_not_found']],
    ['4 Cindle [NLB]', 'Cindle', ['not_in_set']],
    ['4 Cindle [TPP] [NLB] 1', 'Cindle', []],
    ['4 Cindle (TPP) 1 - for trade', 'Cindle', ['words_ignored']],
    ['4 Cindle TPP 1 $1.50', 'Cindle', ['words_ignored']],
    ['4 Cindle TPP 999 $1.50', 'Cindle', ['number_not_found', 'words_ignored']],
    ['4 Cindle TPP 1abc2', 'Cindle', ['number_not_found']],
  ])('%p keeps the name, with a note of the ignored part', async (line, name, notes) => {
    const row = await rowOf(line)
    expect(row.match.card.name).toBe(name)
    expect(row.notes.filter((note) => note !== 'printing_not_found')).toEqual(notes as never)
  })

  test('with a mark of the finish has its price', async () => {
    const [plain, foil] = [await rowOf('1 Cindle TPP 1'), await rowOf('1 Cindle TPP 1 *F*')]
    expect([plain.match.printing, foil.match.printing]).toEqual(['Normal', 'Reverse Holofoil'])
  })

  test.each(['1 Cindle TPP 1 foil', '1 Cindle TPP 1 NM Foil', '1 Cindle TPP 1 [Foil] (EN)'])(
    '%p has the price of the finish behind it',
    async (line) => {
      expect((await rowOf(line)).match.printing).toBe('Reverse Holofoil')
    },
  )

  test.each([
    '4 TPP 1',
    '4x TPP 001/020',
    '4 [TPP] 1',
    '4 tpp-1',
    '4 TPP:001',
    '4 Tidepool Parade 1',
    '4 TPP 1 NM',
  ])('%p without a name is the card of the set with the number', async (line) => {
    expect(await rowOf(line)).toMatchObject({
      quantity: 4,
      match: { card: { id: 900101, name: 'Cindle' }, confidence: 'medium' },
      notes: [],
    })
  })

  test.each(['TPP 999', 'XYZ 1', 'TPP', '1 TPP 1/999'])('%p matches nothing', async (line) => {
    expect((await report(line)).data.unmatched).toMatchObject([{ reason: 'no_match' }])
  })

  test.each(['4 Zündelchen TPP 1', '4 Étincelle (TPP) 001', '4 火の粉 [TPP] 1/20'])(
    '%p has its name in another language, and its set and number decide',
    async (line) => {
      expect(await rowOf(line)).toMatchObject({
        quantity: 4,
        match: { card: { id: 900101 }, confidence: 'medium', corrected_name: 'Cindle' },
      })
    },
  )

  test('of a name that other sets have is not the card with its number', async () => {
    const { match, notes } = await rowOf('1 Saint Orrery TPP 1')
    expect([match.card.name, notes]).toEqual(['Saint Orrery', ['not_in_set', 'number_not_found']])
  })

  test('of a number alone is its card', async () => {
    expect(await rowOf('4xPD1-007')).toMatchObject({
      quantity: 4,
      match: { card: { number: 'PD1-007' } },
    })
  })

  test.each([
    ['0 Cindle', 'no_copies'],
    ['9999999 Cindle', 'invalid_quantity'],
    [`4 ${'x'.repeat(10_000)}`, 'line_too_long'],
    ['4 Nobody at All', 'no_match'],
    ['!', 'name_too_short'],
  ])('%.20p has a reason', async (line, reason) => {
    const { data, meta } = await report(line)
    expect(data.unmatched).toMatchObject([{ row: 1, section: 'main', reason }])
    expect(meta).toMatchObject({ total_requested: 1, total_matched: 0 })
  })
})

describe('a deck', () => {
  test('as JSON is read by the names or numbers of its cards', async () => {
    const { data } = await report('["tpp-1", "tpp-1", "Marginwyrm"]')
    expect(data.rows).toMatchObject([
      { row: 1, quantity: 2, match: { card: { id: 900101 } } },
      { row: 2, quantity: 1, match: { card: { name: 'Marginwyrm' } } },
    ])
  })

  test('in the format YDK is found by passcodes that the operator has imported', async () => {
    const text = '#created by me\n#main\n46986414\n46986414\n#extra\n!side\n00012345\n99999999\n'
    openCardIdWriter(testApp.catalogDb).replace(
      'konami',
      [
        { id: '46986414', card_id: 900101, printing: null },
        { id: '12345', card_id: 900102, printing: null },
      ],
      testApp.deps.now(),
    )
    const { data } = await report(text)
    expect(data.rows).toMatchObject([
      { row: 3, section: 'main', match: { card: { id: 900101 }, confidence: 'exact' } },
      { row: 4, section: 'main', match: { card: { id: 900101 } } },
      { row: 7, section: 'sideboard', match: { card: { id: 900102 } } },
    ])
    expect(data.unmatched).toMatchObject([{ row: 8, reason: 'no_match' }])
  })
})

describe('a list', () => {
  test('has sections, line numbers and a total', async () => {
    const { data, meta } = await report('Deck\n2 Cindle TPP 1\n\nSideboard\n3 Cindle TPP 1\n')
    expect(data.rows).toMatchObject([
      { row: 2, section: 'main', quantity: 2 },
      { row: 5, section: 'sideboard', quantity: 3 },
    ])
    expect(data.total_value).toBeCloseTo(5 * (data.rows[0]?.match.market_price ?? 0), 5)
    expect(meta).toMatchObject({ total_requested: 2, total_matched: 2 })
  })

  test.each(['', '\n\n', 'Deck\n\nSideboard\n', '// nothing\n# here'])(
    'without a card is refused: %p',
    async (text) => {
      await expect(readList(text)).rejects.toThrow('has no line with a card')
    },
  )

  test('beyond the maximum is refused', async () => {
    await expect(readList('4 Cindle\n'.repeat(5_000), { rowsMax: 1_000 })).rejects.toThrow(
      'at most 1000 lines',
    )
    expect(await readList('4 Cindle\n'.repeat(1_000), { rowsMax: 1_000 })).toHaveLength(1_000)
  })

  test.each([
    ['known cards', '4 Cindle TPP 1'],
    ['misspelled cards', '4 Cnidle TPP 77'],
    ['unknown cards', '2 Qwertz Uiopasdf (ZZZ) 40/108 *F*'],
    ['words of sets', '1 Tidepool Parade Lantern Season'],
  ])('of a thousand %s leaves turns to other requests', async (_kind, line) => {
    const { turns, cpuMs } = await countTurns(report(`${line}\n`.repeat(1_000)))
    expect(cpuMs / turns).toBeLessThan(25)
  })
})

describe('a line without a set', () => {
  const prices = async (prefer?: Preference) => {
    const rows = await Array.fromAsync(resolveList(testApp.deps, '1 Cindle', { prefer }))
    return rows.map((row) => ('found' in row ? row.found.card.id : row.reason))
  }

  test('is the cheapest regular printing, and its note says so', async () => {
    const row = await rowOf('1 Cindle')
    expect(row).toMatchObject({
      match: { card: { id: 900101 }, certainty: 'assumed' },
      notes: ['printing_assumed'],
    })
  })

  test('follows the preference', async () => {
    expect(await prices('cheapest')).toEqual([900101])
    expect(await prices('highest')).toEqual([900001])
  })
})
