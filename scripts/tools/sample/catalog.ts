import {
  type Attribute,
  driftAttributes,
  sealedAttributes,
  vellumAttributes,
  wickerwildAttributes,
} from './attributes'
import { FIRST_LIGHT, PERIHELION_DRIFT } from './content/perihelion-drift'
import type { CardSet, Game, Presale, Prices, Sealed } from './content/shape'
import { DROWNED_ABBEY, NINTH_LIBRARY, VELLUM_AND_THORN } from './content/vellum-and-thorn'
import { LANTERN_SEASON, TIDEPOOL_PARADE, WICKERWILD } from './content/wickerwild'
import { drawDriftCard } from './draw/drift/frame'
import { DRIFT_SCENES } from './draw/drift/scenes'
import type { Lettering } from './draw/lettering'
import type { Scene } from './draw/scenery'
import { drawSealed, LIVERIES, type Livery } from './draw/sealed'
import type { Svg } from './draw/svg'
import { drawVellumCard } from './draw/vellum/frame'
import { VELLUM_SCENES } from './draw/vellum/scenes'
import { drawWickerwildCard } from './draw/wickerwild/frame'
import { WICKERWILD_SCENES } from './draw/wickerwild/scenes'

/** One set on the shelf, with everything that can be bought of it. */
export interface Shelf {
  game: Game
  groupId: number
  name: string
  abbreviation: string
  publishedOn: string
  modifiedOn: string
  products: readonly Product[]
}

/** A card or a sealed product, whatever its game. */
export interface Product {
  productId: number
  name: string
  prices: Prices
  presale?: Presale
  attributes: readonly Attribute[]
  draw(lettering: Lettering): Svg
}

interface ForSale {
  name: string
  art: string
  prices: Prices
  presale?: Presale
}

/** How one game turns its cards into products. */
interface Press<Card extends ForSale> {
  game: Game
  livery: Livery
  scenes: Readonly<Record<Card['art'], Scene>>
  attributes(card: Card): Attribute[]
  draw(lettering: Lettering, card: Card, set: CardSet<Card>): Svg
}

/** Sealed products start here in every set's run of ids, so that a set can grow in cards. */
const FIRST_SEALED = 80

export const SHELVES: readonly Shelf[] = [
  ...shelves(
    {
      game: WICKERWILD,
      livery: LIVERIES.wickerwild,
      scenes: WICKERWILD_SCENES,
      attributes: wickerwildAttributes,
      draw: drawWickerwildCard,
    },
    [LANTERN_SEASON, TIDEPOOL_PARADE],
  ),
  ...shelves(
    {
      game: VELLUM_AND_THORN,
      livery: LIVERIES.vellum,
      scenes: VELLUM_SCENES,
      attributes: vellumAttributes,
      draw: drawVellumCard,
    },
    [NINTH_LIBRARY, DROWNED_ABBEY],
  ),
  ...shelves(
    {
      game: PERIHELION_DRIFT,
      livery: LIVERIES.drift,
      scenes: DRIFT_SCENES,
      attributes: driftAttributes,
      draw: drawDriftCard,
    },
    [FIRST_LIGHT],
  ),
]

function shelves<Card extends ForSale>(
  press: Press<Card>,
  sets: readonly CardSet<Card>[],
): Shelf[] {
  return sets.map((set) => ({
    game: press.game,
    groupId: set.groupId,
    name: set.name,
    abbreviation: set.abbreviation,
    publishedOn: set.publishedOn,
    modifiedOn: set.modifiedOn,
    products: [...cardsOf(press, set), ...sealedOf(press, set)],
  }))
}

function cardsOf<Card extends ForSale>(press: Press<Card>, set: CardSet<Card>): Product[] {
  return set.cards.map((card, index) => ({
    ...forSale(set.firstProductId + index, card),
    attributes: press.attributes(card),
    draw: (lettering) => press.draw(lettering, card, set),
  }))
}

function sealedOf<Card extends ForSale>(press: Press<Card>, set: CardSet<Card>): Product[] {
  return set.sealed.map((product: Sealed<Card['art']>, index) => ({
    ...forSale(set.firstProductId + FIRST_SEALED + index, product),
    attributes: sealedAttributes(product),
    draw: (lettering) =>
      drawSealed(lettering, {
        product,
        scene: press.scenes[product.art],
        setName: set.name,
        paint: set.boxColor,
        livery: press.livery,
      }),
  }))
}

function forSale(productId: number, { name, prices, presale }: ForSale) {
  return { productId, name, prices, ...(presale && { presale }) }
}
