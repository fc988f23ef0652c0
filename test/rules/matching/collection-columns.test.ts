import { describe, expect, test } from 'bun:test'
import { parseCollectionHeader, parseCollectionRows } from '#rules/matching/collection-columns.ts'

/** Parses a header and its first record: the rows of which it has copies. */
function parseRows(header: string, record: string) {
  const columns = parseCollectionHeader(header.split(','))
  return parseCollectionRows(columns, record.split(','), 1).map(({ row: _, ...fields }) =>
    Object.fromEntries(Object.entries(fields).filter(([, cell]) => cell !== null)),
  )
}

/** Parses the only row of a header and its first record. */
function parseRow(header: string, record: string) {
  const [only = {}, ...others] = parseRows(header, record)
  expect(others).toEqual([])
  return only
}

const CINDLE = { name: 'Cindle', number: '001/024', quantity: '2', printing: 'Foil' }

describe('the export of', () => {
  test.each([
    [
      "TCGplayer's app",
      'Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU',
      '2,Cindle,Cindle,Lantern Season,001/024,LSN,Foil,Near Mint,English,Common,900001,4637171',
      { ...CINDLE, set_name: 'Lantern Season', set_code: 'LSN', product_id: '900001' },
    ],
    [
      "TCGplayer's app with all columns",
      'Quantity,Name,Simple Name,Set,Card Number,Set Code,External ID,Printing,Condition,Language,Rarity,Product ID,SKU,Price,Price Each',
      '2,Cindle,Cindle,Lantern Season,001/024,LSN,0,Foil,Near Mint,English,Common,900001,4637171,$1,$2',
      { ...CINDLE, set_name: 'Lantern Season', set_code: 'LSN', product_id: '900001' },
    ],
    [
      "TCGplayer's sellers",
      'TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,Total Quantity,Add to Quantity',
      '4637171,Wickerwild,Lantern Season,Cindle,,001/024,Common,Near Mint,1.00,2,0',
      {
        name: 'Cindle',
        game: 'Wickerwild',
        set_name: 'Lantern Season',
        number: '001/024',
        quantity: '2',
      },
    ],
    [
      'Moxfield',
      'Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,Proxy,Purchase Price',
      '2,0,Cindle,lsn,Near Mint,English,foil,,2025-01-05 19:26:45.563000,001/024,False,False,',
      { ...CINDLE, printing: 'foil', set_name: 'lsn' },
    ],
    [
      'ManaBox',
      'Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency',
      'Rares,binder,Cindle,LSN,Lantern Season,001/024,foil,common,2,1001,4409a063,1.5,false,false,near_mint,en,USD',
      { ...CINDLE, printing: 'foil', set_name: 'Lantern Season', set_code: 'LSN' },
    ],
    [
      'Archidekt',
      'Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,Collector Number',
      '2,Cindle,Foil,NM,2026-05-15,EN,,,Lantern Season,lsn,0,4409a063,001/024',
      { ...CINDLE, set_name: 'Lantern Season', set_code: 'lsn' },
    ],
    [
      'Deckbox',
      'Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price',
      '2,0,Cindle,Lantern Season,lsn,001/024,Near Mint,English,foil,,,,,,,12,,,$0.00',
      { ...CINDLE, printing: 'foil', set_name: 'Lantern Season', set_code: 'lsn' },
    ],
    [
      'Dragon Shield',
      'Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET',
      'Box 1,2,0,Cindle,LSN,Lantern Season,001/024,NearMint,Foil,English,0.5,2024-03-01,0.3,0.4,0.5',
      { ...CINDLE, set_name: 'Lantern Season', set_code: 'LSN' },
    ],
    [
      "Dragon Shield's phone app",
      'Quantity, Name, CardNumber, Expansion Code, Expansion Name, PurchasePrice, Foil, Condition, Language, PurchaseDate',
      '2, Cindle, 001/024, lsn, Lantern Season, 0, true, NearMint, English, 20220129',
      { ...CINDLE, printing: 'true', set_name: 'Lantern Season', set_code: 'lsn' },
    ],
    [
      'Delver Lens',
      'Name,Acquired Price,Language,Set Code,TCGPlayer Product ID,Number,Foil,Quantity',
      'Cindle,$13.94,,LSN,900001,001/024,Foil,2',
      { ...CINDLE, set_code: 'LSN', product_id: '900001' },
    ],
    [
      'Helvault',
      'collector_number,extras,language,name,oracle_id,quantity,scryfall_id,set_code,set_name',
      '001/024,foil,en,Cindle,c1177f22,2,c24751fd,lsn,Lantern Season',
      { ...CINDLE, printing: 'foil', set_name: 'Lantern Season', set_code: 'lsn' },
    ],
    [
      'MTGGoldfish',
      'Card,Set ID,Set Name,Quantity,Foil,Variation,Collector Number,Scryfall ID',
      'Cindle,LSN,Lantern Season,2,regular,,001/024,',
      { ...CINDLE, printing: 'regular', set_name: 'Lantern Season', set_code: 'LSN' },
    ],
    [
      'Collectr',
      'Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price (As of 2026-07-19),Price Override,Watchlist,Date Added,Notes',
      'Main,Wickerwild,Lantern Season,Cindle,001/024,Common,Holofoil,Ungraded,Near Mint,0,2,7.12,0,false,2026-03-14,',
      { ...CINDLE, printing: 'Holofoil', game: 'Wickerwild', set_name: 'Lantern Season' },
    ],
    [
      'TCG Collector',
      'Card name,Card number,Expansion,Card variant,Card language,Card condition,Quantity,Price,Rarity,Note',
      'Cindle,001/024,Lantern Season,Reverse Holo,English,Near Mint,2,$1.00,Common,',
      { ...CINDLE, printing: 'Reverse Holo', set_name: 'Lantern Season' },
    ],
  ])('%s is parsed by its header', (_, header, record, fields) => {
    expect(parseRow(header, record)).toEqual(fields)
  })
})

describe('the printing', () => {
  test.each([
    ['Near Mint Foil', '', 'Foil'],
    ['Lightly Played Reverse Holofoil', '', 'Reverse Holofoil'],
    ['NM - 1st Edition', '', '1st Edition'],
    ['Near Mint Foil', 'Normal', 'Normal'],
    ['Near Mint', '', null],
    ['Near Mint signed', '', null],
    ['Foil', '', null],
  ])('of the condition %p beside the printing %p is %p', (condition, printing, expected) => {
    const row = `Cindle,${condition},${printing}`
    const { printing: found = null } = parseRow('Name,Condition,Printing', row)
    expect(found).toBe(expected)
  })
})

describe('rows that are not owned', () => {
  test.each([
    ['Product Name,Watchlist', 'Cindle,true', 'on_watchlist'],
    ['Product Name,Watchlist', 'Cindle,false', null],
    ['Name,Binder Type', 'Cindle,list', 'in_list'],
    ['Name,Binder Type', 'Cindle,deck', 'in_deck'],
    ['Name,Binder Type', 'Cindle,binder', null],
    ['Name,Proxy', 'Cindle,True', 'proxy'],
    ['Name,Proxy', 'Cindle,False', null],
    ['Name', 'Cindle', null],
  ])('are known by %p with %p: %p', (header, record, reason) => {
    const columns = parseCollectionHeader(header.split(','))
    expect(parseCollectionRows(columns, record.split(','), 1)).toMatchObject([
      { name: 'Cindle', left_out: reason },
    ])
  })
})

describe('columns', () => {
  test('are found regardless of case, spaces, accents, punctuation and order', () => {
    expect(parseRow('COLLECTOR #,card-name,Qty.', '1,Cindle,3')).toEqual({
      number: '1',
      name: 'Cindle',
      quantity: '3',
    })
  })

  test('for the same field are used in order of preference', () => {
    expect(parseRow('Simple Name,Name', 'Cindle,Cindle (Full Art)')).toEqual({
      name: 'Cindle (Full Art)',
    })
    expect(parseRow('Simple Name,Name', 'Cindle,')).toEqual({ name: 'Cindle' })
  })

  test('need no name if they have a product id', () => {
    expect(parseRow('Product ID,Quantity', '900001,2')).toEqual({
      product_id: '900001',
      quantity: '2',
    })
  })

  test('may be more or fewer than the cells of a row', () => {
    expect(parseRow('Name,Set,Quantity', 'Cindle')).toEqual({ name: 'Cindle' })
    expect(parseRow('Name', 'Cindle,LSN,3')).toEqual({ name: 'Cindle' })
  })

  test('without a name are rejected, with the header and the remedy', () => {
    expect(() => parseCollectionHeader(['Datum', 'Betrag'])).toThrow(
      /"Datum", "Betrag".*Name.*Product ID/,
    )
  })

  test('with an unsupported quantity are rejected rather than ignored', () => {
    expect(() => parseCollectionHeader(['Shelf Qty', 'Name'])).toThrow(/"Shelf Qty".*Quantity/)
    expect(parseRow('Quantity,Trade Quantity,Name', '2,1,Cindle').quantity).toBe('2')
  })
})

describe('a header in', () => {
  test.each([
    ['German', 'Anzahl,Name,Erweiterung,Nummer,Ausführung', '2,Cindle,LSN,001/024,Foil'],
    [
      'German with other words',
      'Menge,Kartenname,Set,Kartennummer,Foil',
      '2,Cindle,LSN,001/024,Foil',
    ],
    ['French', 'Quantité,Nom,Extension,Numéro,Finition', '2,Cindle,LSN,001/024,Foil'],
    ['French with other words', 'Nombre,Nom,Édition,Numéro,Foil', '2,Cindle,LSN,001/024,Foil'],
    ['Italian', 'Quantità,Nome,Espansione,Numero,Finitura', '2,Cindle,LSN,001/024,Foil'],
    ['Spanish', 'Cantidad,Nombre,Edición,Número,Acabado', '2,Cindle,LSN,001/024,Foil'],
    ['Portuguese', 'Quantidade,Nome,Edição,Número,Acabamento', '2,Cindle,LSN,001/024,Foil'],
    ['Japanese', '枚数,カード名,セット,カード番号,仕上げ', '2,Cindle,LSN,001/024,Foil'],
    ["Card Kingdom's words", 'quantity,title,edition,number,foil', '2,Cindle,LSN,001/024,Foil'],
  ])('%s is understood', (_, header, record) => {
    expect(parseRow(header, record)).toEqual({ ...CINDLE, set_name: 'LSN' })
  })

  test.each([
    [
      'set_code,number,quantity,condition',
      'LSN,1,2,NM',
      { set_code: 'LSN', number: '1', quantity: '2' },
    ],
    [
      'Set Number,Card Number,Variant,Count',
      '001,42,foil,4',
      { set_code: '001', number: '42', printing: 'foil', quantity: '4' },
    ],
    [
      'idProduct,groupCount,price,isFoil,isReverseHolo,isFirstEd',
      '743311,2,1,1,,',
      { cardmarket_id: '743311', quantity: '2', printing: 'Foil' },
    ],
    [
      'idProduct,groupCount,isFoil,isReverseHolo,isFirstEd',
      '743311,2,,1,',
      { cardmarket_id: '743311', quantity: '2', printing: 'Reverse Holofoil' },
    ],
  ])('%p needs no name', (header, record, fields) => {
    expect(parseRow(header, record)).toEqual(fields)
  })
})

describe('columns with the copies of', () => {
  const NORMAL = { name: 'Cindle', printing: 'Normal' }
  const FOIL = { name: 'Cindle', printing: 'Foil' }

  test.each([
    [
      'Normal,Foil,Name',
      '2,1,Cindle',
      [
        { ...NORMAL, quantity: '2' },
        { ...FOIL, quantity: '1' },
      ],
    ],
    ['Name,Regular,Foil', 'Cindle,3,0', [{ ...NORMAL, quantity: '3' }]],
    ['Name,Regular,Foil', 'Cindle,,2', [{ ...FOIL, quantity: '2' }]],
    [
      'Reg Qty,Foil Qty,Name',
      '2,1,Cindle',
      [
        { ...NORMAL, quantity: '2' },
        { ...FOIL, quantity: '1' },
      ],
    ],
    [
      'Name,Quantity Normal,Quantity Foil',
      'Cindle,2,1',
      [
        { ...NORMAL, quantity: '2' },
        { ...FOIL, quantity: '1' },
      ],
    ],
    [
      'Name,Normal,Holo,Reverse Holo',
      'Cindle,0,1,2',
      [
        { name: 'Cindle', printing: 'Holofoil', quantity: '1' },
        { name: 'Cindle', printing: 'Reverse Holofoil', quantity: '2' },
      ],
    ],
    ['Normal,Foil,Name', '0,0,Cindle', [{ name: 'Cindle', quantity: '0' }]],
    ['Normal,Foil,Name', '1,many,Cindle', [{ ...FOIL, quantity: 'many' }]],
    [
      'Name,Count,Foil count,Special foil count',
      'Cindle,3,2,0',
      [
        { name: 'Cindle', quantity: '1' },
        { ...FOIL, quantity: '2' },
      ],
    ],
    ['Name,Count,Foil count', 'Cindle,2,2', [{ ...FOIL, quantity: '2' }]],
    [
      'Name,Quantity,Foil Quantity',
      'Cindle,2,1',
      [
        { name: 'Cindle', quantity: '2' },
        { ...FOIL, quantity: '1' },
      ],
    ],
    ['Name,Foil', 'Cindle,3', [{ ...FOIL, quantity: '3' }]],
    ['Name,Foil', 'Cindle,1', [{ name: 'Cindle', printing: '1' }]],
    ['Name,Quantity,Foil', 'Cindle,2,1', [{ name: 'Cindle', quantity: '2', printing: '1' }]],
  ])('each printing are rows: %p with %p', (header, record, rows) => {
    expect(parseRows(header, record)).toEqual(rows)
  })
})
