import { Link } from 'wouter'
import type { Card, Price } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { LineSkeleton, Skeleton } from '../components/skeleton.tsx'
import { agoText, usd } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { CardDetails } from './card-details.tsx'
import { CardHistory } from './card-history.tsx'
import { CardPrintings } from './card-printings.tsx'

/** A card: its picture, what each printing costs, how that went, and what is printed on it. */
export function CardView({ id }: { id: number }) {
  const card = useQuery(`card ${id}`, (signal) =>
    api.get('/v1/cards/{id}', { path: { id }, signal }),
  )
  const asked = useQuery(`prices of ${id}`, (signal) =>
    api.get('/v1/cards/{id}/prices', { path: { id }, signal }),
  )
  const told = card.state === 'ready' ? card.data.data : undefined
  const prices = asked.state === 'ready' ? byPriceDescending([asked.data.data].flat()) : undefined
  if (card.state === 'failed') {
    return (
      <Page title="Card" crumbs={crumbsOf(undefined)}>
        <ErrorMessage error={card.error} again={card.again} />
      </Page>
    )
  }
  return (
    <div className="card-page">
      <Page
        title={told?.name ?? 'Card'}
        lead={told ? leadOf(told) : '\u00a0'}
        crumbs={crumbsOf(told)}
      >
        <div className="card-side">
          {told === undefined ? (
            <span className="art bone" />
          ) : (
            <CardImage key={id} src={cardImageUrl(told)} name={told.name} eager />
          )}
        </div>
        <div className="card-body stack">
          {asked.state === 'failed' ? (
            <ErrorMessage error={asked.error} again={asked.again} />
          ) : (
            <>
              <CurrentPrice card={told} id={id} prices={prices} />
              <CardHistory id={id} printings={prices?.map(({ printing }) => printing)} />
            </>
          )}
          {asked.state === 'loading' && <LineSkeleton count={3} />}
          {prices !== undefined && prices.length > 0 && <CardPrintings prices={prices} />}
          {told !== undefined && <CardDetails card={told} />}
          <ApiExample id={id} />
        </div>
      </Page>
    </div>
  )
}

function crumbsOf(card: Card | undefined) {
  return [
    { href: '/', name: 'Games' },
    ...(card === undefined
      ? []
      : [
          { href: `/games/${card.game_slug}`, name: card.game_name },
          { href: `/sets/${card.set_id}`, name: card.set_name },
        ]),
  ]
}

function leadOf({ number, rarity, product_type }: Card): string {
  return [number, rarity, product_type === 'Cards' ? null : product_type]
    .filter(Boolean)
    .join(' · ')
}

function byPriceDescending(prices: readonly Price[]): Price[] {
  return prices.toSorted((a, b) => (b.market_price ?? -1) - (a.market_price ?? -1))
}

type CurrentPriceProps = {
  card: Card | undefined
  id: number
  prices: readonly Price[] | undefined
}

/** The dearest printing's price in large, and what can be done with it. */
function CurrentPrice({ card, id, prices }: CurrentPriceProps) {
  const top = prices?.[0]
  const market = card && safeUrl(card.marketplace_url)
  return (
    <section className="price-now" aria-label="Price">
      <div className="price-words">
        {prices === undefined ? (
          <Skeleton width="9rem" height="4.5rem" />
        ) : (
          <PriceHeadline top={top} />
        )}
      </div>
      <div className="row">
        <Link className="button main" href={`/account/alerts?card=${id}`}>
          Watch this price
        </Link>
        {market !== undefined && (
          <a className="button" href={market} target="_blank" rel="noopener noreferrer">
            Marketplace
            <span aria-hidden="true">↗</span>
            <span className="unseen">(opens in a new tab)</span>
          </a>
        )}
      </div>
      {prices !== undefined && !prices.some(isKnown) && (
        <p className="note wait">
          {prices.length > 0
            ? 'Nobody sells this card at the moment, so it has no price. What it cost before stays below.'
            : 'No price of this is known yet.'}
        </p>
      )}
    </section>
  )
}

function PriceHeadline({ top }: { top: Price | undefined }) {
  return (
    <>
      <p className="price-large">
        {usd(top?.market_price)}{' '}
        {typeof top?.price_change_7d === 'number' && (
          <PriceChange points={top.price_change_7d} over="7 days" />
        )}
      </p>
      {top !== undefined && (
        <p className="soft">
          {top.printing} · {agoText(top.last_updated_at)}
        </p>
      )}
    </>
  )
}

function isKnown({ market_price, low_price, median_price }: Price): boolean {
  return [market_price, low_price, median_price].some((price) => price !== null)
}

/** An address that a browser can be sent to; whatever else the upstream wrote is none. */
function safeUrl(address: string | null): string | undefined {
  return address !== null && /^https?:\/\//i.test(address) ? address : undefined
}

function ApiExample({ id }: { id: number }) {
  const line = `curl -H 'X-API-Key: YOUR_KEY' ${location.origin}/v1/cards/${id}/prices`
  return (
    <details className="panel fold">
      <summary>Use it in the API</summary>
      <p className="soft">
        These prices, as a program asks for them. <Link href="/account/keys">A key is free.</Link>
      </p>
      <CopyButton noun="request" text={line} />
    </details>
  )
}
