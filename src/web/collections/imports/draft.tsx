import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PlansLink } from '../../components/plans-link.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { Table } from '../../components/table.tsx'
import { count, DOLLARS, moneyText, plural } from '../../format.ts'
import type { AsyncAction } from '../../hooks/use-action.ts'
import { useCurrency } from '../../pricing/currency.ts'
import { parseId } from '../../route-params.ts'
import { type ImportKind, ROW_KINDS, useGroups } from './import-queries.ts'
import { columnsText, describeUse, isUsed, KIND_TEXTS, sumTotals } from './import-text.ts'
import { RowGroup } from './row-group.tsx'
import type { DraftChanges } from './use-draft-changes.ts'

type DraftProps = { found: CollectionImport; changes: DraftChanges; start: AsyncAction<[]> }

/** Shows what was understood of a file, and lets the owner decide about its rows. The URL holds the pages of the groups. */
export function DraftView({ found, changes, start }: DraftProps) {
  const [query, setQuery] = useSearchParams()
  const [isCertainOpen, setCertainOpen] = useState(query.has('certain'))
  const groups = ROW_KINDS.flatMap((kind) => {
    const totals = found.totals.find((sums) => sums.kind === kind)
    if (totals === undefined || totals.rows === 0) return []
    return { kind, totals, page: parseId(query.get(kind) ?? '') ?? 1 }
  })
  const listed = groups.filter(({ kind }) => kind !== 'certain' || isCertainOpen)
  const results = useGroups(found.id, listed)
  const resultOf = (kind: ImportKind) => results[listed.findIndex((one) => one.kind === kind)]
  return (
    <>
      <Summary found={found} />
      {/* All at once, so that nothing moves. The folded group loads in its own place. */}
      {groups.some(({ kind }) => kind !== 'certain' && resultOf(kind)?.isPending) ? (
        <LineSkeleton count={10} />
      ) : (
        groups.map(({ kind, totals }) => (
          <RowGroup
            key={kind}
            totals={totals}
            result={resultOf(kind)}
            change={changes.change}
            onOpen={setCertainOpen}
            onPage={(page) =>
              setQuery((before) => ({ ...Object.fromEntries(before), [kind]: String(page) }))
            }
          />
        ))
      )}
      <ImportBar found={found} start={start} />
    </>
  )
}

/** Shows the columns that were found, and the rows of each kind with their values. */
function Summary({ found: { columns, totals, is_repeated } }: { found: CollectionImport }) {
  const { currency } = useCurrency()
  const unused = columns.filter(({ use }) => !isUsed(use))
  return (
    <>
      {is_repeated && (
        <p className="note wait">
          This file was imported into this collection before. If you import it again, its rows are
          added a second time.
        </p>
      )}
      <section className="stack tight" aria-labelledby="understood">
        <h2 id="understood">What was understood</h2>
        <div className="table-frame import-totals">
          <Table
            columns={[
              ['Match', ({ kind }) => <a href={`#${kind}`}>{KIND_TEXTS[kind].title}</a>],
              ['Rows', ({ rows }) => count(rows), 'number'],
              ['Value', ({ value }) => moneyText(value), 'number wide-only'],
              ['To import', ({ accepted }) => count(accepted), 'number'],
              [
                'Their value',
                ({ accepted_value }) => moneyText(accepted_value),
                'number wide-only',
              ],
            ]}
            rows={totals.filter(({ rows }) => rows > 0)}
            keyOf={({ kind }) => kind}
          />
        </div>
        {currency !== DOLLARS && <p className="small soft">All amounts are in US dollars.</p>}
        {columns.length > 0 && (
          <details className="fold">
            <summary>{columnsText(columns)}</summary>
            <dl className="column-uses">
              {columns.map(({ header, use }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a header twice
                <div key={at}>
                  <dt>{header || 'No header'}</dt>
                  <dd>{describeUse(use)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        {unused.length > 0 && (
          <p className="small soft">
            Not used: {unused.map(({ header }) => header || 'a column without a header').join(', ')}
          </p>
        )}
      </section>
    </>
  )
}

type ImportBarProps = Omit<DraftProps, 'changes'>

/** Totals of the rows to import, which follow each decision, with the button that imports them. */
function ImportBar({ found, start }: ImportBarProps) {
  const { accepted, unowned, open, value } = sumTotals(found)
  const isFull = found.room !== null && accepted - unowned > found.room
  return (
    <section className="import-bar" aria-label="Import">
      {isFull && (
        <p className="note wait">
          “{found.collection_name}” has room for {plural(found.room ?? 0, 'item')}. Skip rows, or
          get more room: <PlansLink />
        </p>
      )}
      <FormError error={start.error} />
      <div className="import-bar-row">
        <p role="status">
          <strong>{moneyText(value)}</strong>
          <span className="visually-hidden"> in {plural(accepted, 'row')}</span>
          {unowned > 0 && (
            <span className="small soft line">{plural(unowned, 'row')} for your wish list</span>
          )}
          {open > 0 && (
            <span className="small soft line">{plural(open, 'row')} not decided, left out</span>
          )}
        </p>
        <Button className="main" disabled={accepted === 0 || isFull} action={start}>
          Import {plural(accepted, 'row')}
        </Button>
      </div>
    </section>
  )
}
