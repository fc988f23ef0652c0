import type { DriftCard } from './content/perihelion-drift'
import type { Sealed } from './content/shape'
import type { VellumCard } from './content/vellum-and-thorn'
import type { Attack, WickerwildCard } from './content/wickerwild'

/** One entry of upstream's `extendedData`. Every game has its own, and every value is a string. */
export interface Attribute {
  name: string
  displayName: string
  value: string
}

type Row = readonly [name: string, displayName: string, value: string | number | undefined]

export function wickerwildAttributes(card: WickerwildCard): Attribute[] {
  return present([
    ['Number', 'Card Number', card.number],
    ['Rarity', 'Rarity', card.rarity],
    ['Card Type', 'Card Type', card.element],
    ['HP', 'HP', card.hp],
    ['Stage', 'Stage', card.stage],
    ['CardText', 'Card Text', card.text],
    ...(card.attacks ?? []).map((attack, index): Row => {
      return [`Attack ${index + 1}`, `Attack ${index + 1}`, attackText(attack)]
    }),
    ['Weakness', 'Weakness', card.weakness],
    ['Resistance', 'Resistance', card.resistance],
    ['RetreatCost', 'Retreat Cost', card.retreat],
  ])
}

export function vellumAttributes(card: VellumCard): Attribute[] {
  return present([
    ['Rarity', 'Rarity', card.rarity],
    ['Number', '#', card.number],
    ['SubType', 'Creature Type or Sub Type', card.subType],
    ['P', 'Power', card.power],
    ['T', 'Toughness', card.toughness],
    ['OracleText', 'Rules Text Contains', card.oracle],
    ['FlavorText', 'Flavor', card.flavor === undefined ? undefined : `<em>${card.flavor}</em>`],
  ])
}

export function driftAttributes(card: DriftCard): Attribute[] {
  return present([
    ['Rarity', 'Rarity', card.rarity],
    ['Number', 'Number', card.number],
    ['Description', 'Description', card.description],
    ['Color', 'Color', card.color],
    ['CardType', 'Card Type', card.kind],
    ['Cost', 'Cost', card.cost],
    ['Power', 'Power', card.power],
    ['Attribute', 'Attribute', card.attribute],
    ['Level', 'Level', card.level],
    ['Attack', 'Attack', card.attack],
    ['Defense', 'Defense', card.defense],
  ])
}

export const sealedAttributes = (product: Sealed): Attribute[] =>
  present([['Description', 'Description', product.description]])

/** `[EE1] Chimney Leap (60)`, and what it does on a line of its own. */
function attackText({ cost, name, damage, text }: Attack): string {
  const head = `[${cost}] ${name}${damage === undefined ? '' : ` (${damage})`}`
  return text === undefined ? head : `${head}\r\n<br>\r\n${text}`
}

function present(rows: readonly Row[]): Attribute[] {
  return rows.flatMap(([name, displayName, value]) =>
    value === undefined ? [] : [{ name, displayName, value: String(value) }],
  )
}
