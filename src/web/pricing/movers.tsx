import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import * as texts from '#texts/pricing/movers.ts'
import { useGames } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { MoverList } from '../components/mover-row.tsx'
import { Note } from '../components/note.tsx'
import { Page } from '../components/page.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'
import { MoverSkeleton } from '../components/skeleton.tsx'
import { useMediaQuery } from '../hooks/use-media-query.ts'
import { defineQuery } from '../query-client.ts'
import { inCurrency, useCurrency } from './currency.ts'
import { firstChangesText } from './first-changes.ts'
import { HowMade } from './how-made.tsx'
import {
  DIRECTIONS,
  type Direction,
  fetchMovers,
  MOVER_PERIODS,
  type MoverAnswer,
  type MoverPeriod,
} from './mover-lists.ts'
import { OlderPrices } from './older-prices.tsx'
import { MIRROR_SOURCE, sourceName } from './price-origin.ts'
import { usePricesSince } from './price-source.tsx'

/** Minimum prices besides that of all movers. */
const MIN_PRICES = [
  ['5', texts.fiveOrMore],
  ['20', texts.twentyOrMore],
  ['100', texts.hundredOrMore],
] as const

const TYPES = [
  ['Cards', texts.cards],
  ['Sealed Products', texts.sealedProducts],
] as const

/** Lists the printings with the largest price changes: risers beside fallers, or one of them on a phone. */
export function MoversView() {
  const [query, setQuery] = useSearchParams()
  const direction = oneOf(DIRECTIONS, query.get('direction')) ?? 'up'
  const period = oneOf(MOVER_PERIODS, query.get('period')) ?? '24h'
  const type = oneOf(TYPES, query.get('type'))
  const min_price = oneOf(MIN_PRICES, query.get('min_price'))
  const game = query.get('game') || undefined
  const { currency } = useCurrency()
  const games = useGames()
  const isWide = useMediaQuery('(min-width: 60rem)')
  const directions = isWide ? DIRECTIONS.map(([one]) => one) : [direction]
  const request = { period, type, game, min_price, limit: LIMIT }
  const movers = useQuery(
    defineQuery(['/v1/prices/top-movers', directions, request, currency], (signal) =>
      inCurrency(currency, (choice) => fetchMovers(directions, { ...request, ...choice }, signal)),
    ),
  )
  const choose = (name: string) => (value: string) =>
    setQuery((before) => {
      const { [name]: _, ...others } = Object.fromEntries(before)
      return value === '' ? others : { ...others, [name]: value }
    })
  return (
    <Page title={texts.movers} lead={texts.moversLead}>
      <div className="row mover-filters">
        {!isWide && (
          <SegmentedControl
            label={texts.direction}
            options={DIRECTIONS}
            value={direction}
            onChange={choose('direction')}
          />
        )}
        <SegmentedControl
          label={texts.period}
          options={MOVER_PERIODS}
          value={period}
          onChange={choose('period')}
        />
        <Select
          aria-label={texts.game}
          all={texts.allGames}
          options={games.data?.data.map(({ slug, name }) => [slug, name] as const) ?? []}
          value={game}
          onChange={choose('game')}
        />
        <Select
          aria-label={texts.type}
          all={texts.cardsAndSealed}
          options={TYPES}
          value={type}
          onChange={choose('type')}
        />
        <Select
          aria-label={texts.minimumPrice}
          all={texts.anyPrice}
          options={MIN_PRICES}
          value={min_price}
          onChange={choose('min_price')}
        />
      </div>
      <QueryError query={movers} />
      {movers.data?.every(({ data }) => data.length === 0) ? (
        <Empty
          game={game}
          period={period}
          onLonger={period === '30d' ? undefined : () => choose('period')('30d')}
        />
      ) : (
        !movers.isError && (
          <>
            <div className="mover-columns">
              {directions.map((one, at) => (
                <MoverColumn key={one} direction={one} answer={movers.data?.[at]} />
              ))}
            </div>
            <HowMade of={['movers', 'change', 'market-price', 'confidence']} />
          </>
        )
      )}
    </Page>
  )
}

const LIMIT = 50

type MoverColumnProps = { direction: Direction; answer: MoverAnswer | undefined }

function MoverColumn({ direction, answer }: MoverColumnProps) {
  const name = DIRECTIONS.find(([one]) => one === direction)?.[1]
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {answer === undefined ? <MoverSkeleton /> : <MoverList movers={answer.data} />}
      {answer !== undefined && <SourceNote answer={answer} />}
      {answer !== undefined && answer.meta.excluded > 0 && (
        <p className="small soft movers-note">{texts.hiddenPrintings(answer.meta.excluded)}</p>
      )}
    </section>
  )
}

/** Names the source of the movers if it is not the default one. */
function SourceNote({ answer: { data } }: { answer: MoverAnswer }) {
  const source = data[0]?.source ?? MIRROR_SOURCE
  if (source === MIRROR_SOURCE) return null
  return <p className="small soft movers-note">{texts.pricesOf(sourceName(source))}</p>
}

function oneOf<T extends string>(
  options: readonly (readonly [T, string])[],
  value: string | null,
): T | undefined {
  return options.find(([one]) => one === value)?.[0]
}

type EmptyProps = {
  game: string | undefined
  period: MoverPeriod
  onLonger: (() => void) | undefined
}

/** Says when the first movers are expected, or what is listed. */
function Empty({ game, period, onLonger }: EmptyProps) {
  const since = usePricesSince(game)
  const expected = firstChangesText('movers', since, { period })
  const text = texts.moversRules
  return (
    <Note title={texts.noPriceMovers} text={<p className="soft">{expected ?? text}</p>}>
      {expected !== undefined && <OlderPrices />}
      {expected === undefined && onLonger !== undefined && (
        <Button onClick={onLonger}>{texts.show30Days}</Button>
      )}
    </Note>
  )
}
