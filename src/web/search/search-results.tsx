import type { ReactNode, Ref } from 'react'
import type { ApiResponse } from '#client/client.ts'
import type { Game } from '#client/endpoints.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { plural } from '../format.ts'
import type { QueryResult } from '../hooks/use-query.ts'
import { FILTERS, invalidField, type SearchParams, SORTS } from './query.ts'
import { ResultTiles, ResultTilesSkeleton } from './result-tiles.tsx'
import { SearchStart } from './search-start.tsx'

type Answer = ApiResponse<'GET', '/v1/search'>

type SearchResultsProps = {
  params: SearchParams
  /** Undefined where there is nothing to ask yet. */
  result: (QueryResult<Answer> & { again: () => void }) | undefined
  games: readonly Game[]
  /** The filters that are set. */
  chips: ReactNode
  list: Ref<HTMLUListElement>
  onChange: (change: Partial<SearchParams>) => void
  /** Called when the arrows lead back to the field. */
  onLeave: () => void
}

/** How many were found, in which order, and what. Older results stay until newer ones are there. */
export function SearchResults({
  params,
  result,
  games,
  chips,
  list,
  onChange,
  onLeave,
}: SearchResultsProps) {
  const answer = result?.data
  return (
    <section className="found" aria-label="Found">
      <div className={result === undefined ? 'found-head unseen' : 'found-head'}>
        <p className="found-count" role="status">
          {answer !== undefined && totalText(answer.meta.total, params.type)}
        </p>
        {result !== undefined && (
          <SortSelect value={params.sort} onChange={(sort) => onChange({ sort })} />
        )}
      </div>
      {chips}
      {result === undefined && <SearchStart games={games} />}
      {result?.state === 'failed' && <SearchError {...result} />}
      {result?.state === 'loading' && answer === undefined && <ResultTilesSkeleton />}
      {answer?.meta.corrected_query !== undefined && (
        <p>
          Nothing is called “{params.q}”. These are for{' '}
          <strong>“{answer.meta.corrected_query}”</strong>.
        </p>
      )}
      {answer?.meta.total === 0 && <NothingFound question={params} />}
      {answer !== undefined && answer.meta.total > 0 && (
        <>
          {answer.data.length > 0 && (
            <ResultTiles
              cards={answer.data}
              isOld={result?.state === 'loading'}
              list={list}
              onLeave={onLeave}
            />
          )}
          <Pager meta={answer.meta} onPage={(page) => onChange({ page: String(page) })} />
        </>
      )}
    </section>
  )
}

/** What the API refuses by name is told at its field; all else here. */
function SearchError({
  error,
  again,
}: {
  error: Parameters<typeof invalidField>[0]
  again: () => void
}) {
  if (invalidField(error) === undefined) return <ErrorMessage error={error} again={again} />
  return <p className="soft">Nothing is searched for until the marked field is mended.</p>
}

function SortSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <label className="sort">
      <span className="small soft">Sort by</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {SORTS.map(([sort, name]) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function NothingFound({ question }: { question: SearchParams }) {
  const isNarrowed = FILTERS.some((name) => question[name] !== '')
  return (
    <div className="note">
      <h2>No card fits “{question.q}”</h2>
      <ul className="hints">
        <li>Look at the spelling, or write fewer words.</li>
        <li>Leave the end of a long name away: its beginning is enough.</li>
        {isNarrowed && <li>Take filters away: each that is set has a button above.</li>}
      </ul>
    </div>
  )
}

function totalText(total: number, type: string): string {
  return plural(total, type === 'Sealed Products' ? 'sealed product' : 'card')
}
