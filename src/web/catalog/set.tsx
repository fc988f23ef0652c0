import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import type { CardSet } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'
import { type OwnedCards, useOwnedCards } from '../collections/owned/owned-cards.ts'
import { OwnedControl } from '../collections/owned/owned-control.tsx'
import { SetProgress } from '../collections/owned/set-progress.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { dayText } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { apiQuery } from '../query-client.ts'
import { parsePage } from '../route-params.ts'
import { useHasAccount } from '../session.ts'
import { CardTile, TILE_FIELDS } from './card-tile.tsx'
import { SetHistory } from './set-history.tsx'
import { parseSetParams, type SetParams, setPageUrl } from './set-params.ts'
import { SetTable } from './set-table.tsx'
import { SetExport, SetFilters, SetValue } from './set-tools.tsx'

/** Lists the cards of a set with images and prices, or as a table. The URL holds the selection. */
export function SetView({ id }: { id: number }) {
  const query = new URLSearchParams(useSearch())
  const params = parseSetParams(query, parsePage(query))
  const [, go] = useLocation()
  const hasAccount = useHasAccount()
  const ownedQuery = useOwnedCards({ set_id: id })
  const owned = ownedQuery.data
  const set = useQuery(apiQuery('/v1/sets/{id}', { path: { id } }))
  const { currency } = useCurrency()
  const summary = useQuery(apiQuery('/v1/sets/{id}/summary', { path: { id }, query: { currency } }))
  const cards = useSetCards(id, params, currency)
  const change = (next: Partial<SetParams>) => go(setPageUrl(id, { ...params, page: 1, ...next }))
  const details = set.data?.data
  if (set.isError) {
    return (
      <Page title={texts.set} crumbs={crumbsOf(undefined)}>
        <QueryError query={set} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <Page
      title={details?.name ?? texts.set}
      lead={details ? describeSet(details) : '\u00a0'}
      crumbs={crumbsOf(details)}
    >
      {summary.data === undefined ? (
        <p className="set-value">&nbsp;</p>
      ) : (
        <SetValue summary={summary.data.data} />
      )}
      {hasAccount && <SetProgress set={details} summary={summary} owned={ownedQuery} />}
      <SetHistory key={id} id={id} name={details?.name ?? texts.set} currency={currency} />
      <SetFilters params={params} summary={summary.data?.data} onChange={change} />
      <QueryError query={cards} />
      {cards.isPending && <TileSkeleton />}
      {cards.data !== undefined && (
        <>
          {cards.data.meta.total === 0 ? (
            <p className="note">{emptyText(params)}</p>
          ) : params.view === 'table' ? (
            <SetTable
              cards={cards.data.data}
              sort={params.sort}
              onSort={(sort) => change({ sort })}
              owned={hasAccount && !ownedQuery.isError ? (owned ?? NONE) : undefined}
            />
          ) : (
            <ul className={owned?.size ? 'tiles checklist' : 'tiles'}>
              {cards.data.data.map((card) => (
                <CardTile
                  key={card.id}
                  card={card}
                  set={details?.abbreviation ?? details?.name}
                  className={owned?.has(card.id) ? 'owned' : ''}
                  over={<OwnedControl card={card} copies={owned?.get(card.id)} />}
                />
              ))}
            </ul>
          )}
          <Pager meta={cards.data.meta} onPage={(page) => change({ page })} />
          <HowMade of={['market-price', 'change', 'base-printing', 'value-of-a-set']} />
        </>
      )}
      {details !== undefined && <SetExport id={id} name={details.name} currency={currency} />}
    </Page>
  )
}

function useSetCards(
  id: number,
  { type, view, sort, rarity, printing, page }: SetParams,
  currency: string,
) {
  const query = {
    page,
    per_page: view === 'table' ? ROWS : TILES,
    fields: TILE_FIELDS,
    include: 'confidence',
    type: type || undefined,
    sort: sort || undefined,
    rarity: rarity || undefined,
    printing: printing || undefined,
    currency,
  }
  return useQuery({
    ...apiQuery('/v1/sets/{id}/cards', { path: { id }, query }),
    placeholderData: () => undefined,
  })
}

const NONE: OwnedCards = new Map()

const TILES = 60
/** Maximum number of cards in a response of the API. */
const ROWS = 100

function crumbsOf(set: CardSet | undefined) {
  const games = { href: '/', name: texts.games }
  return set === undefined
    ? [games]
    : [games, { href: `/games/${set.game_slug}`, name: set.game_name }]
}

function describeSet({ abbreviation, release_date, card_count }: CardSet): string {
  return [abbreviation, release_date && dayText(release_date), texts.cardCount(card_count)]
    .filter(Boolean)
    .join(' · ')
}

function emptyText({ type, rarity, printing }: SetParams): string {
  if (rarity !== '' || printing !== '') return texts.noCardOfThisSetMatches
  return EMPTY[type]
}

const EMPTY = {
  '': texts.setIsEmpty,
  Cards: texts.setHasNoCards,
  'Sealed Products': texts.setHasNoSealedProducts,
} as const

const NOT_FOUND = { title: texts.setNotFound, text: texts.chooseOneFromTheList }
