import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardSet } from '#client/endpoints.ts'
import { CardImage } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Field } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { dayText, plural } from '../format.ts'
import { apiQuery } from '../query-client.ts'
import { allSetsQuery } from './queries.ts'
import { filterSets, groupByYear } from './set-groups.ts'

/** Lists the sets of a game by year, newest first. */
export function GameView({ slug }: { slug: string }) {
  const [words, setWords] = useState('')
  const game = useQuery(apiQuery('/v1/games/{slug}', { path: { slug } }))
  const sets = useQuery(allSetsQuery(slug))
  const details = game.data?.data
  if (game.isError) {
    return (
      <Page title="Game" crumbs={CRUMBS}>
        <QueryError query={game} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <Page
      title={details?.name ?? 'Game'}
      lead={details && `${plural(details.set_count, 'set')}, ${plural(details.card_count, 'card')}`}
      crumbs={CRUMBS}
    >
      <QueryError query={sets} />
      {sets.isPending && <TileSkeleton />}
      {sets.data !== undefined && sets.data.length > FILTER_FROM && (
        <div className="set-search">
          <Field
            label="Find a set"
            name="q"
            type="search"
            placeholder="Name, code or year"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </div>
      )}
      {sets.data !== undefined && (
        <SetsByYear sets={filterSets(sets.data, words)} isCompact={sets.data.length > TILES_MAX} />
      )}
    </Page>
  )
}

/** Number of sets from which a filter helps. */
const FILTER_FROM = 12
/** Number of sets up to which their images are shown: more would make the page too long. */
const TILES_MAX = 40

type SetsByYearProps = { sets: readonly CardSet[]; isCompact: boolean }

function SetsByYear({ sets, isCompact }: SetsByYearProps) {
  if (sets.length === 0) return <p className="note">No set matches.</p>
  return groupByYear(sets).map(([year, ofYear]) => (
    <section key={year} className="set-year" aria-labelledby={`year-${year}`}>
      <h2 id={`year-${year}`}>{year}</h2>
      <ul className={isCompact ? 'tiles compact' : 'tiles'}>
        {ofYear.map((set) => (
          <SetTile key={set.id} set={set} isCompact={isCompact} />
        ))}
      </ul>
    </section>
  ))
}

function SetTile({ set, isCompact }: { set: CardSet; isCompact: boolean }) {
  const src = set.image_url === null ? undefined : `/pictures/sets/${set.id}`
  const art = isCompact ? null : (
    <CardImage src={src} face={{ ...set, number: set.abbreviation }} size="small" />
  )
  return (
    <Tile href={`/sets/${set.id}`} name={set.name} art={art}>
      <p className="small soft">
        {[set.abbreviation, set.release_date && dayText(set.release_date)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p className="small soft">{plural(set.card_count, 'card')}</p>
    </Tile>
  )
}

const CRUMBS = [{ href: '/', name: 'Games' }]

const NOT_FOUND = { title: 'Game not found', text: 'Choose one from the list of games.' }
