import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { CollectionSummary, SetCompletion } from '#client/endpoints.ts'
import * as texts from '#texts/collections/value.ts'
import { useGames } from '../catalog/queries.ts'
import { QueryError } from '../components/error-message.tsx'
import { Meter } from '../components/meter.tsx'
import { Pager } from '../components/pager.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count, moneyText } from '../format.ts'
import { type CollectionQuery, useCompletion } from './queries.ts'

type BreakdownProps = { summary: CollectionSummary; isWish: boolean }

type Sums = CollectionSummary['games'][number] | CollectionSummary['sets'][number]

/** Shows the value by game and by set. */
export function Breakdown({ summary, isWish }: BreakdownProps) {
  const games = useGames()
  const { currency } = summary
  const nameOf = (slug: string) => games.data?.data.find((game) => game.slug === slug)?.name ?? slug
  const sums: Column<Sums>[] = [
    [texts.items, ({ items }) => count(items), 'number roomy-only'],
    [
      texts.value,
      ({ value, gain_percent }) => (
        <>
          {moneyText(value, currency)}
          {!isWish && (
            <span className="tight-only small">
              <PriceChange points={gain_percent} />
            </span>
          )}
        </>
      ),
      'number',
    ],
    ...(isWish
      ? []
      : ([
          [
            texts.gain,
            ({ gain_percent }) => <PriceChange points={gain_percent} />,
            'number roomy-only',
          ],
        ] as Column<Sums>[])),
  ]
  return (
    <div className="breakdown">
      <section aria-labelledby="by-game">
        <h2 id="by-game">{texts.byGame}</h2>
        <Frame label={texts.valueByGame}>
          <Table
            columns={[
              [texts.game, ({ game }) => <Link href={`/games/${game}`}>{nameOf(game)}</Link>],
              ...sums,
            ]}
            rows={summary.games}
            keyOf={({ game }) => game}
          />
        </Frame>
      </section>
      <section aria-labelledby="by-set">
        <h2 id="by-set">{texts.bySet}</h2>
        <Frame label={texts.valueBySet}>
          <Table
            columns={[
              [
                texts.set,
                ({ set_id, set_name }) => <Link href={`/sets/${set_id}`}>{set_name}</Link>,
              ],
              ...(sums as Column<CollectionSummary['sets'][number]>[]),
            ]}
            rows={summary.sets}
            keyOf={({ set_id }) => set_id}
          />
        </Frame>
      </section>
    </div>
  )
}

function Frame({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame breakdown-table" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

/** Shows how many cards of each set the collection has. */
export function Completion({ of }: { of: CollectionQuery }) {
  const [page, setPage] = useState(1)
  const result = useCompletion(of, page)
  const sets = result.data?.data ?? []
  return (
    <section className="panel stack tight" aria-labelledby="completion">
      <h2 id="completion">{texts.setCompletion}</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton count={4} />}
      {result.data !== undefined && sets.length === 0 && (
        <p className="soft">{texts.noSingleCardsYet}</p>
      )}
      <ul className="completion">
        {sets.map((set) => (
          <CompletionRow key={set.set_id} set={set} />
        ))}
      </ul>
      {result.data !== undefined && <Pager meta={result.data.meta} onPage={setPage} />}
    </section>
  )
}

function CompletionRow({ set }: { set: SetCompletion }) {
  const { set_id, set_name, owned, total } = set
  const text =
    total === null ? count(owned) : texts.ownedOfTotal({ owned: count(owned), total: count(total) })
  return (
    <li>
      <Link href={`/sets/${set_id}`}>{set_name}</Link>
      <Meter
        label={set_name}
        value={Math.min(owned, total ?? owned)}
        max={total ?? owned}
        text={text}
      />
      <span className="small soft">{text}</span>
    </li>
  )
}
