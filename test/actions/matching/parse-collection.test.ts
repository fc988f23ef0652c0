import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isCollection, isList, parseCollection } from '#actions/matching/parse-collection.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { countTurns } from '../../support/event-loop-turns.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (bytes: Uint8Array, rowsMax?: number): Promise<CollectionRow[]> =>
  Array.fromAsync(parseCollection(bytes, rowsMax === undefined ? {} : { rowsMax }))

/** Returns the names in a file. */
const namesIn = async (text: string) => (await read(utf8(text))).map(({ name }) => name)

/** Encodes as UTF-16 with a byte order mark; `swap` makes it big-endian. */
function utf16(text: string, swap = false): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return swap ? bytes.swap16() : bytes
}

test.each([
  ['short rows', `Name\n${'a\n'.repeat(30_000)}`],
  ['quoted rows', `Name\n${'"a""b"\n'.repeat(9_000)}`],
  ['empty cells', `Name\n${`${','.repeat(6_000)}\n`.repeat(10)}a\n`],
])('reads at most 4 KB of a file with %s in a turn of the event loop', async (_, text) => {
  const bytes = utf8(text)
  const { turns } = await countTurns(read(bytes))
  expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / 4_096))
})

describe('a file', () => {
  const text = 'Name,Set\r\nCafé Familiar,Lantern Season\r\n'

  test.each([
    ['UTF-8', utf8(text)],
    ['UTF-8 with a mark', utf8(`\ufeff${text}`)],
    ['UTF-16', utf16(text)],
    ['UTF-16, the other way round', utf16(text, true)],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ])('in %s is accepted', async (_, bytes) => {
    expect(await read(bytes)).toMatchObject([
      { row: 1, name: 'Café Familiar', set_name: 'Lantern Season' },
    ])
  })

  test.each([
    ['commas', 'Name,Set\n"Marigold, Refit",PD1\n'],
    ['semicolons', 'Name;Set\nMarigold, Refit;PD1\n'],
    ['tabs', 'Name\tSet\nMarigold, Refit\tPD1\n'],
    ['bars', 'Name|Set\nMarigold, Refit|PD1\n'],
    ['a first line that names a comma', '"sep=,"\r\nName,Set\r\n"Marigold, Refit",PD1\r\n'],
    ['a first line that names a semicolon', 'sep=;\nName;Set\nMarigold, Refit;PD1'],
    ['a first line that a spreadsheet saved', '"sep=,",\nName,Set\n"Marigold, Refit",PD1'],
    ['semicolons and a comma in the header', '"Name";"Set, Code";Set\nMarigold, Refit;;PD1'],
    ['spaces before quotes', 'Name, Set\n"Marigold, Refit", "PD1"\n'],
    ['old line ends', 'Name,Set\r"Marigold, Refit",PD1\r'],
    ['line ends of two kinds', 'Name,Set\r\n"Marigold, Refit",PD1\n'],
  ])('with %s is accepted', async (_, text) => {
    expect(await read(utf8(text))).toMatchObject([{ name: 'Marigold, Refit', set_name: 'PD1' }])
  })

  test('preserves line breaks, quotes and delimiters within quotes', async () => {
    expect(await namesIn('Name,Set\r\n"Two\r\nlines, ""so""",LSN\r\nNext,LSN\r\n')).toEqual([
      'Two\r\nlines, "so"',
      'Next',
    ])
  })

  test('may have blank lines, empty records, and records that are too short or too long', async () => {
    const text = '\r\n\r\nName,Set\r\n\r\nOne\r\n,,,\r\nTwo,LSN,more,and more\r\n\r\n'
    expect((await read(utf8(text))).map(({ row, name }) => [row, name])).toEqual([
      [1, 'One'],
      [2, 'Two'],
    ])
  })

  test.each([
    ['a version', 'Info,Version=1.0.0,Template=x\nName,Set,Quantity\nCindle,LSN,2\n'],
    ['a title', 'My collection\n\nName;Set;Quantity\nCindle;LSN;2\n'],
    [
      'several lines',
      'Exported by me\n2026-11-27,3 cards\nTotal: $5\nName,Set,Quantity\nCindle,LSN,2',
    ],
  ])('may have %s before its header', async (_, text) => {
    expect(await read(utf8(text))).toMatchObject([
      { row: 1, name: 'Cindle', set_name: 'LSN', quantity: '2' },
    ])
  })

  test('may have quotes within a cell', async () => {
    expect(await namesIn('Name,Set\n5" Ruler,LSN\nNext,LSN\n')).toEqual(['5" Ruler', 'Next'])
  })

  test('is not read beyond its maximum number of rows', async () => {
    const endless = utf8(`Name\n${'Cindle\n'.repeat(500_000)}`)
    const read: number[] = []
    const rows = parseCollection(endless, { rowsMax: 3, onRead: (done) => void read.push(done) })
    await expect(Array.fromAsync(rows)).rejects.toMatchObject({
      code: 'TOO_MANY_ITEMS',
      message: expect.stringContaining('at most 3 rows'),
    })
    expect(read.at(-1)).toBeLessThan(endless.length / 2)
    expect(
      await Array.fromAsync(parseCollection(utf8('Name\na\nb\nc'), { rowsMax: 3 })),
    ).toHaveLength(3)
  })

  test('reports the progress', async () => {
    const bytes = utf8(`Name\n${'Cindle\n'.repeat(20_000)}`)
    const progress: [number, number][] = []
    const onRead = (done: number, total: number) => void progress.push([done, total])
    await Array.fromAsync(parseCollection(bytes, { onRead }))
    expect(progress.at(-1)).toEqual([bytes.length, bytes.length])
    expect(progress.length).toBeGreaterThan(3)
  })
})

describe('an unreadable file is rejected with a message:', () => {
  test.each([
    ['nothing', '', /empty/],
    ['blank lines', '\r\n \r\n', /empty/],
    ['a header alone', 'Name,Set\r\n', /no rows/],
    ['a table of something else', 'Date,Amount\n1,2\n', /"Date", "Amount"/],
    ['a quote that is never closed', 'Name,Set\nOne,LSN\n"Two,LSN\nThree,LSN\n', /Row 2 .*quote/],
    [
      'a quote that is not closed for long',
      `Name,Set\nOne,LSN\n"Two,LSN\n${'Three,LSN\n'.repeat(50_000)}`,
      /Row 2 .*quote/,
    ],
    ['a spreadsheet', 'PK\u0003\u0004\0\0\0', /not text/],
  ])('%s', async (_, text, words) => {
    const refused = read(utf8(text))
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(refused).rejects.toThrow(words)
  })
})

describe('a table with any delimiter and any line end', () => {
  const cell = fc
    .string({ unit: fc.constantFrom(...'ab é"\'\n\r,;\t|=漢') })
    .map((text) => text.trim())
  const tables = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\r\n', '\n', '\r'),
    encode: fc.constantFrom(utf8, utf16),
    rows: fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
  })

  test('is parsed to its original cells', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ delimiter, lineEnd, encode, rows }) => {
        const written = [['Name', 'Set'], ...rows]
          .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter))
          .join(lineEnd)
        const filled = rows.filter((cells) => cells.some((text) => text !== ''))
        if (filled.length === 0) return
        const back = await read(encode(written))
        expect(back.map(({ name, set_name }) => [name ?? '', set_name ?? ''])).toEqual(filled)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a file is', () => {
  test.each([
    ['a table', 'Name,Set\nCindle,LSN\n', [true, false]],
    ['a table in German', 'Anzahl;Name;Erweiterung\n2;Cindle;LSN\n', [true, false]],
    ['a table after a title', 'My cards\nName,Set\nCindle,LSN\n', [true, false]],
    ['a table that is not understood', 'Datum,Betrag\n1,2\n', [false, false]],
    ['a table without a header', '2,Cindle,LSN\n1,Whisht,LSN\n', [false, false]],
    ['a list', '4 Cindle TPP 1\n2 Whisht\n', [false, true]],
    ['a list with a heading', 'Deck\n4x Atraxa, Praetors\n', [false, true]],
    [
      'a list of elements',
      '<?xml version="1.0"?>\n<deck><card number="1" name="A"/></deck>',
      [false, true],
    ],
  ] as [string, string, [boolean, boolean]][])('%s', (_, text, kinds) => {
    expect([isCollection(utf8(text)), isList(utf8(text))]).toEqual(kinds)
  })
})
