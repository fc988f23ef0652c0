import type { Deps } from '#deps.ts'
import type { PageHead } from './page-head.ts'

/** Heads of catalog pages, for link previews. */
export type CatalogHeads = {
  [Kind in 'game' | 'set' | 'card']: (id: string) => PageHead | undefined
}

/**
 * Describes pages of the catalog without prices. Pages are sent to everybody without a quota, so they must not be a
 * way around the quotas.
 */
export function createCatalogHeads({
  catalog,
  config: { publicUrl },
}: Pick<Deps, 'catalog' | 'config'>): CatalogHeads {
  function describe(path: string, title: string, about: string, hasImage: boolean): PageHead {
    const image = hasImage ? `${publicUrl}/pictures${path}` : iconUrl(publicUrl)
    const description = `Prices, price history and printings of ${about}.`
    return { title, description, url: publicUrl + path, image }
  }

  return {
    game(slug) {
      const game = catalog.games.getBySlugOrId(slug)
      if (game === undefined) return undefined
      const { name, image_url } = game
      return describe(`/games/${game.slug}`, name, `all cards of ${name}`, image_url !== null)
    },
    set(text) {
      const set = catalog.sets.getById(parseId(text))
      if (set === undefined) return undefined
      const { id, name, game_name, image_url } = set
      const about = `the cards of ${name} (${game_name})`
      return describe(`/sets/${id}`, name, about, image_url !== null)
    },
    card(text) {
      const [card] = catalog.pricedCards.listNamed([parseId(text)])
      if (card === undefined) return undefined
      const { id, name, number, set_name, game_name, image_url } = card
      const title = [name, number, set_name].filter((part) => part !== null).join(' · ')
      return describe(
        `/cards/${id}`,
        title,
        `${name}, ${set_name} (${game_name})`,
        image_url !== null,
      )
    },
  }
}

/** Returns the head of all other pages of the dashboard. */
export function createDefaultHead(publicUrl: string): PageHead {
  return {
    title: 'Cardstock',
    description:
      'Trading card prices: every game, set and printing, price history, price movers, and card identification by photo.',
    url: publicUrl,
    image: iconUrl(publicUrl),
  }
}

function iconUrl(publicUrl: string): string {
  return `${publicUrl}/icons/icon-512.png`
}

/** Parses the ID in a path; 0, which no row has, if it is invalid. */
function parseId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}
