// Deck lists in the formats of apps, written from cards of a catalog.
import { pick, randomFrom } from '../../support/random.ts'

/** A card as an app describes it: printed name, set code and number. */
export type ListedCard = {
  name: string
  /** Code in the catalog or in another app. */
  code: string
  /** As the catalog lists it. */
  number: string
}

/** Format of an app. */
export type DeckFormat = {
  app: string
  /** Headings and lines around the cards. */
  frame: (lines: readonly string[]) => string[]
  line: (card: ListedCard, copies: number) => string
  /** Members of the card that its line names. */
  names: 'name' | 'set' | 'number'
}

const bare = (lines: readonly string[]) => [...lines]
const arena = (lines: readonly string[]) => [
  'About',
  'Name Test',
  '',
  'Deck',
  ...lines.slice(0, -3),
  '',
  'Sideboard',
  ...lines.slice(-3),
]
const live = (lines: readonly string[]) => [
  'Pokémon: 12',
  ...lines.slice(0, 5),
  '',
  'Énergie : 10',
  ...lines.slice(5),
  '',
  `Total Cards: ${lines.length}`,
]

/** Removes the total: apps write the number before the slash, without leading zeros. */
const plain = (number: string) => number.replace(/\/.*$/, '').replace(/^0+(?=\d)/, '')

export const DECK_FORMATS: readonly DeckFormat[] = [
  {
    app: 'MTG Arena',
    frame: arena,
    line: ({ name, code, number }, n) => `${n} ${name} (${code}) ${plain(number)}`,
    names: 'number',
  },
  {
    app: 'Moxfield',
    frame: arena,
    line: ({ name, code, number }, n) => `${n} ${name} (${code}) ${plain(number)} *F*`,
    names: 'number',
  },
  {
    app: 'Archidekt',
    frame: bare,
    line: ({ name, code, number }, n) =>
      `${n}x ${name} (${code.toLowerCase()}) ${plain(number)} [Ramp] ^Have,#37d67a^`,
    names: 'number',
  },
  {
    app: 'Pokémon TCG Live',
    frame: live,
    line: ({ name, code, number }, n) => `${n} ${name} ${code} ${plain(number)}`,
    names: 'number',
  },
  {
    app: 'Pokémon TCG Online',
    frame: live,
    line: ({ name, code, number }, n) => `* ${n} ${name} ${code} ${plain(number)}`,
    names: 'number',
  },
  {
    app: 'TCGplayer',
    frame: bare,
    line: ({ name, code }, n) => `${n} ${name} [${code}]`,
    names: 'set',
  },
  {
    app: 'Deckstats',
    frame: (lines) => ['//Main', ...lines],
    line: ({ name, code, number }, n) => `${n} [${code}#${plain(number)}] ${name}`,
    names: 'number',
  },
  {
    app: 'MTGGoldfish',
    frame: bare,
    line: ({ name, code, number }, n) => `${n} ${name} <${plain(number)}> [${code}] (F)`,
    names: 'number',
  },
  {
    app: 'Forge',
    frame: (lines) => ['[Main]', ...lines],
    line: ({ name, code, number }, n) => `${n} ${name}|${code}|[${plain(number)}]`,
    names: 'number',
  },
  {
    app: 'Cockatrice',
    frame: (lines) => ['// A deck', ...lines],
    line: ({ name }, n) => `SB: ${n} ${name}`,
    names: 'name',
  },
  {
    app: 'MTGO',
    frame: (lines) => ['<Deck>', ...lines, '</Deck>'],
    line: ({ name }, n) =>
      `<Cards CatID="1" Quantity="${n}" Sideboard="false" Name="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" />`,
    names: 'name',
  },
  {
    app: 'plain lines',
    frame: bare,
    line: ({ name, code, number }, n) => `${n}x ${name.toLowerCase()} ${code} ${number}`,
    names: 'number',
  },
]

/** Writes a list of these cards, with a typing error in `typos` of the long names. */
export function writeDeckList(
  format: DeckFormat,
  cards: readonly ListedCard[],
  { seed, typos }: { seed: number; typos: number },
): string {
  const random = randomFrom(seed)
  const lines = cards.map((card) => {
    const isWrong = card.name.length > 7 && random() * typos < 1
    const name = isWrong ? dropLetter(card.name, random) : card.name
    return format.line({ ...card, name }, pick(random, [1, 2, 3, 4]))
  })
  return format.frame(lines).join('\n')
}

function dropLetter(name: string, random: () => number): string {
  const places = [...name.matchAll(/\p{L}/gu)].map(({ index }) => index).slice(1)
  const at = places.length === 0 ? 0 : pick(random, places)
  return name.slice(0, at) + name.slice(at + 1)
}
