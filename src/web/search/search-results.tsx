import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import type { ApiResponse } from '#client/client.ts'
import type { Game } from '#client/endpoints.ts'
import * as texts from '#texts/search/search.ts'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'

import { HowMade } from '../pricing/how-made.tsx'
import type { NamedPlace } from './named-places.ts'
import { FILTERS, invalidField, type SearchParams, SORTS } from './query.ts'
import { ResultTiles, ResultTilesSkeleton } from './result-tiles.tsx'
import { RESULT_VIEWS, useResultView } from './result-view.ts'
import { ignoredText } from './shown-results.ts'
import { useNamedPlaces } from './use-named-places.ts'

type Answer = ApiResponse<'GET', '/v1/search'>

type SearchResultsProps = {
  params: SearchParams
  /** Undefined before a search. */
  result: UseQueryResult<Answer> | undefined
  games: readonly Game[]
  /** Active filters. */
  chips: ReactNode
  list: Ref<HTMLUListElement>
  onChange: (change: Partial<SearchParams>) => void
  /** Called when the arrow keys leave the grid. */
  onLeave: () => void
}

/** Shows the result count, sorting and results. Older results stay until newer ones arrive. */
export function SearchResults({
  params,
  result,
  games,
  chips,
  list,
  onChange,
  onLeave,
}: SearchResultsProps) {
  const places = useNamedPlaces(params.q)
  // Links that arrive later would move the results.
  const answer = places && result?.data
  const [view, chooseView] = useResultView()
  return (
    <section className="search-results" aria-label={texts.searchResults}>
      <div className={result === undefined ? 'results-head visually-hidden' : 'results-head'}>
        <p className="results-count" role="status">
          {answer !== undefined && totalText(answer.meta.total, params.type)}
        </p>
        {result !== undefined && (
          <div className="row">
            <SegmentedControl
              label={texts.view}
              options={RESULT_VIEWS}
              value={view}
              onChange={chooseView}
            />
            <SortSelect value={params.sort} onChange={(sort) => onChange({ sort })} />
          </div>
        )}
      </div>
      {chips}
      <NamedPlaces places={answer === undefined ? [] : (places ?? [])} />
      {result === undefined && <SearchStart games={games} />}
      {result?.isError && <SearchError result={result} />}
      {result?.isError === false && answer === undefined && <ResultTilesSkeleton view={view} />}
      {answer?.meta.corrected_query !== undefined && (
        <p>
          {texts.noResultsShowing({
            q: params.q,
            correctedQuery: <strong>“{answer.meta.corrected_query}”</strong>,
          })}
        </p>
      )}
      {answer?.meta.total === 0 && <NoResults params={params} />}
      {answer !== undefined && answer.meta.total > 0 && (
        <>
          {answer.meta.ignored_words.length > 0 && <p>{ignoredText(answer.meta.ignored_words)}</p>}
          {answer.data.length > 0 && (
            <ResultTiles
              cards={answer.data}
              view={view}
              isStale={result?.isPlaceholderData ?? false}
              list={list}
              onLeave={onLeave}
            />
          )}
          <Pager meta={answer.meta} onPage={(page) => onChange({ page: String(page) })} />
          <HowMade of={['market-price', 'base-printing']} />
        </>
      )}
    </section>
  )
}

/** Links to the sets and games that the query names. */
function NamedPlaces({ places }: { places: readonly NamedPlace[] }) {
  if (places.length === 0) return null
  return (
    <ul className="named-places" aria-label={texts.setsAndGames}>
      {places.map(({ href, name, about }) => (
        <li key={href}>
          <Link href={href}>{name}</Link> <span className="small soft">{about}</span>
        </li>
      ))}
    </ul>
  )
}

/** Errors of a field are shown at the field. */
function SearchError({ result }: { result: UseQueryResult<Answer> & { isError: true } }) {
  if (invalidField(result.error) === undefined) return <QueryError query={result} />
  return <p className="soft">{texts.fixTheHighlightedField}</p>
}

function SortSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="sort" htmlFor="sort">
      <span className="small soft">{texts.sortBy}</span>
      <Select id="sort" options={SORTS} value={value} onChange={onChange} />
    </label>
  )
}

function NoResults({ params }: { params: SearchParams }) {
  const isNarrowed = FILTERS.some((name) => params[name] !== '')
  return (
    <div className="note">
      <h2>{texts.noResultsFor(params.q)}</h2>
      <ul className="hints">
        <li>{texts.checkTheSpelling}</li>
        {isNarrowed && <li>{texts.removeAFilter}</li>}
        <li>{texts.tryFewerLetters}</li>
        <li>{texts.tryTheCollectorNumber}</li>
      </ul>
    </div>
  )
}

function totalText(total: number, type: string): string {
  return (type === 'Sealed Products' ? texts.sealedProductCount : texts.cardCount)(total)
}

/** Search tips, shown before a search. */
function SearchStart({ games }: { games: readonly Game[] }) {
  return (
    <div className="stack tight soft search-start">
      <h2>{texts.typeAtLeastTwoLetters}</h2>
      <ul className="hints">
        <li>{texts.wordsInAnyOrder}</li>
        <li>{texts.collectorNumber(<code>012/064</code>)}</li>
        <li>{texts.accentsAreIgnored}</li>
      </ul>
      {games.length > 0 && (
        <>
          <h3>{texts.orBrowseAGame}</h3>
          <ul className="chips">
            {games.slice(0, 12).map(({ slug, name }) => (
              <li key={slug}>
                <Link className="chip" href={`/games/${slug}`}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
