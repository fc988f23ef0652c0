import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { PricedCard } from '#client/endpoints.ts'
import { usd } from '../format.ts'
import { CardImage, cardImageUrl } from './card-image.tsx'
import { PriceChange } from './price-change.tsx'

type TileProps = { href: string; name: string; art: ReactNode; children?: ReactNode; fan?: boolean }

/** Image with text that links to one page. */
export function Tile({ href, name, art, children, fan = false }: TileProps) {
  return (
    <li className="tile">
      <div className={fan ? 'tile-art fan' : 'tile-art'}>{art}</div>
      <div className="tile-text">
        <Link href={href}>{name}</Link>
        {children}
      </div>
    </li>
  )
}

/** Card in a list: image, name and the price of its most expensive printing. */
export function CardTile({ card, eager = false }: { card: PricedCard; eager?: boolean }) {
  const top = mostExpensivePrice(card)
  return (
    <Tile
      href={`/cards/${card.id}`}
      name={card.name}
      art={<CardImage src={cardImageUrl(card)} name={card.name} size="small" eager={eager} />}
    >
      <p className="small soft">{[card.number, card.rarity].filter(Boolean).join(' · ')}</p>
      <p className="tile-price">
        {usd(top?.market_price)}
        {typeof top?.price_change_7d === 'number' && (
          <span className="small">
            <PriceChange points={top.price_change_7d} over="7 d" />
          </span>
        )}
      </p>
    </Tile>
  )
}

function mostExpensivePrice({ prices }: PricedCard) {
  return prices.reduce<PricedCard['prices'][number] | undefined>(
    (best, one) => ((one.market_price ?? -1) > (best?.market_price ?? -1) ? one : best),
    prices[0],
  )
}
