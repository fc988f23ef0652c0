import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { CardSet } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'
import { type OwnedSets, ownedPart, useOwnedSets } from '../collections/owned/owned-sets.ts'
import { CardImage } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Field } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { Select } from '../components/select.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { dayText } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { apiQuery } from '../query-client.ts'
import { useHasAccount } from '../session.ts'
import { allSetsQuery } from './queries.ts'
import {
  filterSets,
  groupByYear,
  parseSetListOrder,
  SET_LIST_ORDERS,
  type SetListOrder,
} from './set-groups.ts'
import { SetList } from './set-list.tsx'

/** Lists the sets of a game with their values: a few as tiles, more as a table. The URL holds the order. */
export function GameView({ slug }: { slug: string }) {
  const order = parseSetListOrder(new URLSearchParams(useSearch()).get('sort'))
  const [, go] = useLocation()
  const [words, setWords] = useState('')
  const { currency } = useCurrency()
  const game = useQuery(apiQuery('/v1/games/{slug}', { path: { slug } }))
  const sets = useQuery(allSetsQuery(slug, currency))
  const hasAccount = useHasAccount()
  const ownedQuery = useOwnedSets(slug)
  const owned = hasAccount ? ownedQuery.data : undefined
  // A column that came later would move the others.
  const isPending = sets.isPending || (hasAccount && ownedQuery.isPending)
  const details = game.data?.data
  if (game.isError) {
    return (
      <Page title={texts.game} crumbs={CRUMBS}>
        <QueryError query={game} notFound={NOT_FOUND} />
      </Page>
    )
  }
  const sortBy = (next: SetListOrder) => go(`/games/${slug}${next && `?sort=${next}`}`)
  return (
    <Page
      title={details?.name ?? texts.game}
      lead={
        details
          ? `${texts.setCount(details.set_count)}, ${texts.cardCount(details.card_count)}`
          : '\u00a0'
      }
      crumbs={CRUMBS}
    >
      <QueryError query={sets} />
      <QueryError query={ownedQuery} />
      {isPending && !sets.isError && <SetsSkeleton count={details?.set_count} />}
      {sets.data !== undefined &&
        !isPending &&
        (sets.data.length > TILES_MAX ? (
          <>
            <div className="row set-search">
              <Field
                label={texts.findASet}
                name="q"
                type="search"
                placeholder={texts.nameCodeOrYear}
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
              <Select
                aria-label={texts.order}
                options={SET_LIST_ORDERS}
                value={order}
                // The select has only these.
                onChange={(next) => sortBy(next as SetListOrder)}
              />
            </div>
            <FoundSets
              sets={filterSets(sets.data, words)}
              order={order}
              onSort={sortBy}
              owned={owned}
            />
          </>
        ) : (
          <SetTiles sets={sets.data} owned={owned} />
        ))}
      {sets.data !== undefined && sets.data.length > 0 && <HowMade of={['value-of-a-set']} />}
    </Page>
  )
}

/** Number of sets that are tiles with pictures: more would make the page too long. */
const TILES_MAX = 12

/** Reserves the space of tiles; that of a table, or of an unknown number, is the screen. */
function SetsSkeleton({ count }: { count: number | undefined }) {
  if (count === undefined || count > TILES_MAX) {
    return <div className="set-list-pending" role="status" aria-label={texts.loading} />
  }
  return <TileSkeleton count={count} />
}

function FoundSets(props: ComponentProps<typeof SetList>) {
  return props.sets.length === 0 ? (
    <p className="note">{texts.noSetMatches}</p>
  ) : (
    <SetList {...props} />
  )
}

type SetTilesProps = Pick<ComponentProps<typeof SetList>, 'sets' | 'owned'>

function SetTiles({ sets, owned }: SetTilesProps) {
  if (sets.length === 0) return <p className="note">{texts.gameHasNoSets}</p>
  return groupByYear(sets).map(([year, ofYear]) => (
    <section key={year} className="set-year" aria-labelledby={`year-${year}`}>
      <h2 id={`year-${year}`}>{year}</h2>
      <ul className="tiles">
        {ofYear.map((set) => (
          <SetTile key={set.id} set={set} owned={owned} />
        ))}
      </ul>
    </section>
  ))
}

function SetTile({ set, owned }: { set: CardSet; owned: OwnedSets | undefined }) {
  const part = owned && ownedPart(set, owned)
  const src = set.image_url === null ? undefined : `/pictures/sets/${set.id}`
  const art = <CardImage src={src} face={{ ...set, number: set.abbreviation }} size="small" />
  return (
    <Tile href={`/sets/${set.id}`} name={set.name} art={art}>
      <p className="small soft">
        {[set.abbreviation, set.release_date && dayText(set.release_date)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="small soft">{texts.cardCount(set.card_count)}</p>
      <p>
        <PriceText amount={set.value} origin={set} />
        {part && part.cards > 0 && (
          <span className="small soft">{` · ${texts.ownedShare(part.share)}`}</span>
        )}
      </p>
    </Tile>
  )
}

const CRUMBS = [{ href: '/', name: texts.games }]

const NOT_FOUND = { title: texts.gameNotFound, text: texts.chooseOneFromTheList }
