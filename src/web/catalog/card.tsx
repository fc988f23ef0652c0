import { Link } from 'wouter'
import type { Card, Price } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
import { WatchButton } from '../alerts/watch-button.tsx'
import { AddToCollection } from '../collections/add-to-collection.tsx'
import { CardCopies } from '../collections/owned/card-copies.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { LineSkeleton, Skeleton } from '../components/skeleton.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText, DOLLARS } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { conversionText } from '../pricing/price-conversion.ts'
import { sourceName } from '../pricing/price-origin.ts'
import { PriceSource } from '../pricing/price-source.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { CardDetails } from './card-details.tsx'
import { CardHistory } from './card-history.tsx'
import { CardPrintings } from './card-prices.tsx'
import { CardReprints } from './card-reprints.tsx'
import { PriceLadder } from './price-ladder.tsx'
import { useCard, usePrices } from './queries.ts'

/** Shows a card with its image, prices, history and details. */
export function CardView({ id }: { id: number }) {
  const card = useCard(id)
  const { currency } = useCurrency()
  const priceResult = usePrices(id, currency)
  const details = card.data?.data
  const prices =
    card.data && priceResult.data && baseFirst(priceResult.data, card.data.meta.printing)
  if (card.isError) {
    return (
      <Page title={texts.card} crumbs={cardCrumbs(undefined)}>
        <QueryError query={card} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <div className="card-page">
      <Page
        title={details?.name ?? texts.card}
        lead={details ? cardSummary(details) : '\u00a0'}
        crumbs={cardCrumbs(details)}
      >
        <div className="card-side">
          {details === undefined ? (
            <span className="art skeleton" />
          ) : (
            <CardImage key={id} src={cardImageUrl(details)} face={details} />
          )}
        </div>
        {!priceResult.isError && <CurrentPrice card={details} prices={prices} />}
        <div className="card-body stack">
          {priceResult.isError ? (
            <QueryError query={priceResult} />
          ) : (
            <CardHistory
              id={id}
              name={details?.name ?? texts.card}
              printings={prices?.map(({ printing }) => printing)}
              currency={currency}
            />
          )}
          {prices === undefined && !priceResult.isError && <LineSkeleton count={3} />}
          {prices !== undefined && prices.length > 0 && (
            <div className="stack tight">
              <CardPrintings prices={prices} />
              <PriceSource game={details?.game_slug} prices={prices} />
              <HowMade
                of={[
                  'market-price',
                  'low-price',
                  'median-price',
                  'change',
                  'confidence',
                  'base-printing',
                ]}
              />
            </div>
          )}
          <PriceLadder id={id} printings={prices?.length ?? 1} />
          {details !== undefined && <CardDetails card={details} />}
          {details !== undefined && <CardReprints key={id} card={details} currency={currency} />}
          <ApiExample id={id} currency={currency} />
        </div>
      </Page>
    </div>
  )
}

const NOT_FOUND = { title: texts.cardNotFound, text: texts.searchForItByName }

function cardCrumbs(card: Card | undefined) {
  return [
    { href: '/', name: texts.games },
    ...(card === undefined
      ? []
      : [
          { href: `/games/${card.game_slug}`, name: card.game_name },
          { href: `/sets/${card.set_id}`, name: card.set_name },
        ]),
  ]
}

function cardSummary({ number, rarity, product_type }: Card): string {
  return [number, rarity, product_type === 'Cards' ? null : product_type]
    .filter(Boolean)
    .join(' · ')
}

/** Sorts prices: the base printing first, then the others, most expensive first. */
function baseFirst(prices: readonly Price[], base: string | null): Price[] {
  const rank = ({ printing, market_price }: Price) =>
    printing === base ? Number.POSITIVE_INFINITY : (market_price ?? -1)
  return prices.toSorted((a, b) => rank(b) - rank(a))
}

type CurrentPriceProps = {
  card: Card | undefined
  prices: readonly Price[] | undefined
}

/** Shows the base printing's price and the main actions. */
function CurrentPrice({ card, prices }: CurrentPriceProps) {
  const market = card && safeUrl(card.marketplace_url)
  return (
    <section className="current-price" aria-label={texts.price}>
      <div className="price-text">
        {prices === undefined ? (
          <Skeleton width="9rem" height="4.5rem" />
        ) : (
          <PriceHeadline base={prices[0]} />
        )}
      </div>
      <div className="row">
        <AddToCollection card={card} prices={prices} />
        <WatchButton card={card} printing={prices?.[0]?.printing} />
        {card === undefined && (
          <span className="button placeholder" aria-hidden="true">
            {texts.marketplace}
          </span>
        )}
        {market !== undefined && (
          <a className="button" href={market} target="_blank" rel="noopener noreferrer">
            {texts.marketplace}
            <span className="visually-hidden">{texts.opensInANewTab}</span>
          </a>
        )}
      </div>
      {card !== undefined && <CardCopies id={card.id} prices={prices} />}
      {prices !== undefined && !prices.some(isKnown) && (
        <p className="note wait">
          {prices.length > 0 ? texts.noCurrentListings : texts.noPricesYet}
        </p>
      )}
    </section>
  )
}

function PriceHeadline({ base }: { base: Price | undefined }) {
  const conversion = base && conversionText(base)
  return (
    <>
      <p className="price-large">
        <PriceText amount={base?.market_price} origin={base} />{' '}
        {typeof base?.price_change_7d === 'number' && (
          <PriceChange points={base.price_change_7d} over={texts.in7Days} />
        )}
      </p>
      {base !== undefined && (
        <p className="soft">
          {[
            base.printing,
            ...(base.source == null ? [] : [sourceName(base.source)]),
            agoText(base.last_updated_at),
          ].join(' · ')}
        </p>
      )}
      {conversion !== undefined && <p className="small soft">{conversion}</p>}
      {base !== undefined && <ConfidenceMark price={base} />}
    </>
  )
}

/**
 * Shows the confidence in a market price in one word, with the reasons if it is not high. Shows nothing without a
 * price.
 */
function ConfidenceMark({ price }: { price: Price }) {
  const { confidence, confidence_reasons = [], market_price } = price
  if (confidence === undefined || market_price === null) return null
  const { state, word } = CONFIDENCE_LEVELS[confidence]
  const reasons = confidence_reasons.flatMap((reason) => CONFIDENCE_REASONS[reason] ?? [])
  return (
    <p className="small soft confidence">
      <StatusMark state={state} />
      {[word, ...(reasons.length === 0 ? [] : [reasons.join(', ')])].join(': ')}
    </p>
  )
}

const CONFIDENCE_LEVELS = {
  high: { state: 'good', word: texts.reliable },
  medium: { state: 'wait', word: texts.uncertain },
  low: { state: 'bad', word: texts.unreliable },
} as const

/** Texts of the reasons of the API (docs/guides/pricing/confidence.md). */
const CONFIDENCE_REASONS: Readonly<Record<string, string>> = {
  no_listings: texts.nobodyOffersThisCardNow,
  low_above_market: texts.cheapestCopyCostsMore,
  median_above_market: texts.mostCopiesCostFarMore,
  median_below_market: texts.mostCopiesAreCheaper,
  low_far_below_market: texts.oneCopyIsFarCheaper,
  sudden_change: texts.itChangedSuddenly,
  few_sales: texts.fewCopiesWereSold,
  unchanged: texts.itHasNotChanged,
  outdated: texts.itIsOld,
  other_source_differs: texts.anotherMarketHasAVery,
}

function isKnown({ market_price, low_price, median_price }: Price): boolean {
  return [market_price, low_price, median_price].some((price) => price !== null)
}

/** Returns an http(s) URL; undefined for other schemes in upstream data. */
function safeUrl(address: string | null): string | undefined {
  return address !== null && /^https?:\/\//i.test(address) ? address : undefined
}

function ApiExample({ id, currency }: { id: number; currency: string }) {
  const query = currency === DOLLARS ? '' : `?currency=${currency}`
  const line = `curl -H 'X-API-Key: YOUR_KEY' '${location.origin}/v1/cards/${id}/prices${query}'`
  return (
    <details className="panel fold">
      <summary>{texts.useItInTheApi}</summary>
      <p className="soft">
        {texts.getThesePricesFromAProgram((text) => (
          <Link href="/account/keys">{text}</Link>
        ))}
      </p>
      <CopyButton noun="request" text={line} />
    </details>
  )
}
