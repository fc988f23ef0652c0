// Rows of tables that are generated from a real catalog, each with the card that it means.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assessPrices } from '#actions/pricing/assess-prices.ts'
import { printedNames } from '#rules/catalog/names.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { listSetCodes } from '#rules/catalog/set-codes.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { openDatabase } from '#store/db.ts'
import type { Catalog } from '#store/open-catalog.ts'

export type RealCard = {
  id: number
  name: string
  number: string | null
  set_id: number
  set_name: string
  abbreviation: string | null
  game: string
}

/** Returns whole numbers below its argument. */
export type Pick = (below: number) => number

/** Reads all cards of a catalog. */
export function readRealCards(file: string): RealCard[] {
  const db = openDatabase(file, { readonly: true })
  const cards = db
    .prepare<[], RealCard>(
      `SELECT cards.id, cards.name, number, set_id, sets.name AS set_name, abbreviation,
              games.slug AS game
         FROM cards JOIN sets ON sets.id = set_id JOIN games ON games.id = cards.game_id
        ORDER BY cards.id`,
    )
    .all()
  db.close()
  return cards
}

/** Draws a number of cards, some of them several times. */
export function drawCards(cards: readonly RealCard[], count: number, pick: Pick): RealCard[] {
  return Array.from({ length: count }, () => cards[pick(cards.length)]).filter(
    (card) => card !== undefined,
  )
}

/** Ways in which apps name a set: by its name, its code, or both. */
export const SET_COLUMNS = ['name', 'code', 'both'] as const

/** Writes a card as an app does. */
export function writeRow(card: RealCard, columns: (typeof SET_COLUMNS)[number]) {
  const { name, number, game, set_name, abbreviation } = card
  const code = listSetCodes({ game_slug: game, name: set_name, abbreviation })[0]?.toUpperCase()
  const isNamed = columns !== 'code' || code === undefined
  return {
    name,
    game,
    set_code: columns === 'name' ? null : (code ?? null),
    set_name: isNamed ? set_name : null,
    number,
  }
}

/** Returns cards whose names are unique in their sets, and that have a number with digits. */
export function listUniquelyNamed(cards: readonly RealCard[]): RealCard[] {
  const same = Map.groupBy(cards, ({ set_id, name }) => `${set_id} ${normalizeName(name)}`)
  return [...same.values()].flatMap(([card, ...others]) =>
    card !== undefined && others.length === 0 && /\d/.test(card.number ?? '') ? card : [],
  )
}

/** Changes a number: to that of another card of the set, to a near one, or to one of another kind. */
export function changeNumber(card: RealCard, ofSet: readonly RealCard[], pick: Pick): string {
  const own = card.number ?? ''
  const others = [
    ofSet[pick(ofSet.length)]?.number ?? '999',
    own.replace(/\d+/, (digits) => `${Number(digits) + 1 + pick(5)}`),
    ['777', 'U8', 'DDC-49', '355b'][pick(4)] ?? '777',
  ]
  const number = others[pick(others.length)] ?? '777'
  return isSameNumber(number, own) ? '998' : number
}

/** Copies a mirror without some of its sets, which the pick chooses: one of four. */
export function copyWithoutSets(mirror: string, to: string, pick: Pick): void {
  const games = readdirSync(join(mirror, 'tcgplayer'))
  mkdirSync(join(to, 'tcgplayer'), { recursive: true })
  cpSync(join(mirror, 'last-updated.txt'), join(to, 'last-updated.txt'))
  for (const game of games) {
    const from = join(mirror, 'tcgplayer', game)
    const copy = join(to, 'tcgplayer', game)
    if (game === 'categories') {
      cpSync(from, copy)
      continue
    }
    mkdirSync(copy)
    // The file has the layout of the mirror.
    const groups = JSON.parse(readFileSync(join(from, 'groups'), 'utf8')) as {
      results: { groupId: number }[]
    }
    const kept = groups.results.filter(() => pick(4) > 0)
    for (const { groupId } of kept) {
      cpSync(join(from, `${groupId}`), join(copy, `${groupId}`), { recursive: true })
    }
    const written = { ...groups, totalItems: kept.length, results: kept }
    writeFileSync(join(copy, 'groups'), JSON.stringify(written))
  }
}

/** A product with the label of a variant, and those with its name and number but without the label. */
export type RealVariant = { card: RealCard; label: string; plain: readonly RealCard[] }

/** Lists the variants of a catalog: additions in brackets, and marks of parallels and reprints. */
export function listVariants(cards: readonly RealCard[]): RealVariant[] {
  const same = Map.groupBy(
    cards.filter(({ number }) => number !== null),
    ({ game, name, number }) => `${game} ${normalizeName(titleOf(name))} ${unmarked(number)}`,
  )
  return [...same.values()].flatMap((group) =>
    group.flatMap((card) => {
      const label = labelOf(card)
      const plain = group.filter((other) => labelOf(other) === '')
      return label === '' || plain.length === 0 ? [] : { card, label, plain }
    }),
  )
}

const BRACKETS = /[([]([^()[\]]*)[)\]]/g

/** Returns a name without additions and number. */
export function titleOf(name: string): string {
  return name
    .replace(BRACKETS, '')
    .replace(/\s-\s\S*\d\S*\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns a number without the mark of a parallel or reprint. */
export function unmarked(number: string | null): string {
  return (number ?? '').replace(/_[pr]\d+$/, '')
}

/** Returns the words of a card's additions and of its mark, without numbers. */
function labelOf({ name, number }: RealCard): string {
  const additions = [...name.matchAll(BRACKETS)].map(([, text = '']) => text)
  const words = additions.filter((text) => /\p{L}{2}/u.test(text) && !/^[A-Z]*\d+$/.test(text))
  const [, mark] = /_([pr])\d+$/.exec(number ?? '') ?? []
  return [...words, ...(mark === undefined ? [] : [mark === 'p' ? 'Parallel' : 'Reprint'])].join(
    ' ',
  )
}

/** Draws beginnings and last words of names that are no names of the game themselves. */
export function drawNameParts(cards: readonly RealCard[], count: number, pick: Pick) {
  const known = new Set(
    cards.flatMap(({ game, name }) =>
      [name, ...printedNames(name)].map((one) => `${game} ${normalizeName(one)}`),
    ),
  )
  const parts: { name: string; game: string }[] = []
  while (parts.length < count) {
    const [card] = drawCards(cards, 1, pick)
    if (card === undefined) return parts
    const words = (printedNames(card.name)[0] ?? '').split(' ')
    const kept = 1 + pick(Math.max(1, words.length - 1))
    const name = (pick(2) === 0 ? words.slice(0, kept) : words.slice(-kept)).join(' ')
    const bare = normalizeName(name)
    // A number behind a name is not a part of it.
    const isPart = bare.length > 2 && !/\d$/.test(bare)
    if (isPart && !known.has(`${card.game} ${bare}`)) parts.push({ name, game: card.game })
  }
  return parts
}

/**
 * Returns the name of the whole set for a part of it that the catalog lists under another name, as its sources do; the
 * name itself otherwise.
 */
export function wholeSetName(name: string): string {
  const whole = WHOLE_SETS.get(name) ?? name
  return whole.replace(/^(?:SM|XY) - /, '')
}

const WHOLE_SETS: ReadonlyMap<string, string> = new Map([
  ['Black & White', 'Black and White'],
  ['Diamond & Pearl', 'Diamond and Pearl'],
  ['Sun & Moon', 'SM Base Set'],
  ['Sword & Shield', 'SWSH01: Sword & Shield Base Set'],
  ['BW Black Star Promos', 'Black and White Promos'],
  ['DP Black Star Promos', 'Diamond and Pearl Promos'],
  ['HGSS Black Star Promos', 'HGSS Promos'],
  ['SM Black Star Promos', 'SM Promos'],
  ['SVP Black Star Promos', 'SV: Scarlet & Violet Promo Cards'],
  ['SWSH Black Star Promos', 'SWSH: Sword & Shield Promo Cards'],
  ['XY Black Star Promos', 'XY Promos'],
  ['Hidden Fates Shiny Vault', 'Hidden Fates: Shiny Vault'],
  ["McDonald's Collection 2016", "McDonald's Promos 2016"],
  ["McDonald's Collection 2024", "McDonald's Promos 2024"],
  ['Pokémon Rumble', 'Rumble'],
  ['Yellow A Alternate', 'Alternate Art Promos'],
  ['BW trainer Kit (Excadrill)', 'BW Trainer Kit: Excadrill & Zoroark'],
  ['HS trainer Kit (Gyarados)', 'HGSS Trainer Kit: Gyarados & Raichu'],
  ['XY trainer Kit (Bisharp)', 'XY Trainer Kit: Bisharp & Wigglytuff'],
  ['XY trainer Kit (Latios)', 'XY Trainer Kit: Latias & Latios'],
  ['XY trainer Kit (Noivern)', 'XY Trainer Kit: Sylveon & Noivern'],
  ['XY trainer Kit (Sylveon)', 'XY Trainer Kit: Sylveon & Noivern'],
  ['XY trainer Kit (Wigglytuff)', 'XY Trainer Kit: Bisharp & Wigglytuff'],
])

/**
 * Computes prices of base printings in cents, and the lowest of the ordinary cards of a name whose price is not of low
 * confidence on the day of its publication. Which sets are ordinary was read by a person.
 */
export function createRegularPrices(catalog: Catalog, cards: readonly RealCard[]) {
  const sets = JSON.parse(readFileSync(new URL('set-names.json', import.meta.url), 'utf8')) as {
    ordinary: string[]
  }
  const ordinary = new Set(sets.ordinary)
  const byName = Map.groupBy(cards, ({ game, name }) => `${game} ${name}`)
  const published = Date.parse(catalog.publication.getCurrent().published_at ?? '')
  const readPrices = (ids: readonly number[]) => {
    return [...catalog.pricedCards.getByIds(ids).values()].map(({ card, printings }) => ({
      card_id: card.id,
      printing: printings[0]?.printing ?? null,
      market_price: printings[0]?.market_price ?? null,
    }))
  }
  return {
    priceOf: (id: number) => readPrices([id])[0]?.market_price ?? null,
    /** Returns undefined if no ordinary card of the name has such a price. */
    find({ game, name }: RealCard): number | undefined {
      const same = byName.get(`${game} ${name}`) ?? []
      const usual = same.filter(({ set_name }) => ordinary.has(set_name) && !ADDITION.test(name))
      const prices = readPrices(usual.map(({ id }) => id))
      const levels = assessPrices({ catalog, now: () => new Date(published) }, prices)
      const reliable = prices.filter((_, at) => levels[at]?.level !== 'low')
      const amounts = reliable.flatMap(({ market_price }) => market_price ?? [])
      return amounts.length === 0 ? undefined : Math.min(...amounts)
    },
  }
}

/** Names with additions may be of cards that are not ordinary. */
const ADDITION = /[([]| - |^(?:code|art) card/i
