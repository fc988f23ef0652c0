import { normalizeName } from '../catalog/trigrams.ts'

/**
 * Headers of columns that identify a card and its copies, in order of preference: in English, as apps write them, then
 * in German, French, Italian, Spanish, Portuguese and Japanese.
 */
const WRITTEN = {
  name: `name, card name, product name, card, simple name, product, english name, title, card title,
    kartenname, karte, nom, nom de la carte, carte, nome, nome della carta, nome carta, carta,
    nombre de la carta, nome da carta, カード名, 名前`,
  game: 'game, game name, product line, category, tcg, spiel, jeu, gioco, juego, jogo, ゲーム',
  set_code: `set code, edition code, expansion code, set id, set abbreviation, set abbr, set kürzel, editionscode,
    code extension, code édition, codice set, codice espansione, código set, código de edición, código da edição,
    セットコード`,
  set_name: `set name, edition name, expansion name, set, edition, expansion, erweiterung, erweiterungsname,
    kartenset, extension, nom extension, édition, série, espansione, edizione, nome espansione, edición, expansión,
    colección, nombre del set, edição, expansão, coleção, セット, セット名, エキスパンション`,
  number: `collector number, card number, number, collector no, card no, collector, no, kartennummer, sammlernummer,
    nummer, numéro, numéro de carte, numéro de collection, numero, numero carta, numero di collezione, número,
    número de carta, número de coleccionista, número de colecionador, カード番号, コレクター番号, 番号`,
  printing: `printing, finish, foil, foiling, extras, variance, card variant, variant, ausführung, variante, finition,
    brillant, finitura, acabado, acabamento, 仕上げ`,
  quantity: `quantity, count, qty, total quantity, amount, copies, owned, group count, anzahl, menge, stückzahl, stück,
    exemplare, quantité, qté, exemplaires, quantità, copie, cantidad, copias, quantidade, qtd, qtde, 枚数, 数量, 所持数`,
  product_id: 'product id, tcgplayer product id, marketplace id, card id',
  cardmarket_id: 'idProduct',
} as const

/** A field of a card that a collection column can hold. */
export type CollectionField = keyof typeof WRITTEN

// Object.keys returns strings; these are the keys of the table above.
export const COLLECTION_FIELDS = Object.keys(WRITTEN) as CollectionField[]

const HEADERS: ReadonlyMap<CollectionField, readonly string[]> = new Map(
  COLLECTION_FIELDS.map((field) => [
    field,
    WRITTEN[field].split(',').map((header) => normalizeName(header)),
  ]),
)

/** Lists the columns of a field among normalized headers, the preferred one first. */
export function findColumns(keys: readonly string[], field: CollectionField): number[] {
  const known = HEADERS.get(field) ?? []
  const found = [...new Set(known)].map((key) => keys.indexOf(key)).filter((index) => index >= 0)
  return [...found, ...findAmbiguous(keys, field)]
}

/** Lists the columns of a field whose headers mean different fields beside others. */
function findAmbiguous(keys: readonly string[], field: CollectionField): number[] {
  return AMBIGUOUS.flatMap(({ key, beside, meant, otherwise }) => {
    const index = keys.indexOf(key)
    const isMeant = keys.some((other) => beside.includes(other))
    return index >= 0 && field === (isMeant ? meant : otherwise) ? [index] : []
  })
}

const AMBIGUOUS: readonly {
  key: string
  beside: readonly string[]
  meant: CollectionField
  otherwise: CollectionField
}[] = [
  // The number of a set, as in Dreamborn's files, or that of a card in its set.
  { key: 'setnumber', beside: ['cardnumber'], meant: 'set_code', otherwise: 'number' },
  // French for number, and Spanish for name.
  { key: 'nombre', beside: ['nom', 'nomdelacarte'], meant: 'quantity', otherwise: 'name' },
]

const KNOWN: ReadonlySet<string> = new Set([
  ...[...HEADERS.values()].flat(),
  ...AMBIGUOUS.map(({ key }) => key),
])
const IDENTIFYING = (['name', 'product_id', 'cardmarket_id'] as const).flatMap((field) => [
  ...(HEADERS.get(field) ?? []),
])

/** Returns true for the header of a collection: one cell names a card, or several cells are known columns. */
export function isCollectionHeader(cells: readonly string[]): boolean {
  const keys = cells.map(normalizeName)
  const count = keys.filter((key) => KNOWN.has(key)).length
  return count > 1 || (count === keys.length && keys.some((key) => IDENTIFYING.includes(key)))
}
