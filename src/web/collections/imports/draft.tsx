import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PlansLink } from '../../components/plans-link.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { Table } from '../../components/table.tsx'
import { count, DOLLARS, moneyText } from '../../format.ts'
import type { AsyncAction } from '../../hooks/use-action.ts'
import { useCurrency } from '../../pricing/currency.ts'
import { parseId } from '../../route-params.ts'
import { listText } from '../../texts/list-text.ts'
import { hidden } from '../../texts/rich-text.ts'
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
      {is_repeated && <p className="note wait">{texts.fileWasImportedBefore}</p>}
      <section className="stack tight" aria-labelledby="understood">
        <h2 id="understood">{texts.whatWasUnderstood}</h2>
        <div className="table-frame import-totals">
          <Table
            columns={[
              [texts.match, ({ kind }) => <a href={`#${kind}`}>{KIND_TEXTS[kind].title}</a>],
              [texts.rows, ({ rows }) => count(rows), 'number'],
              [texts.value, ({ value }) => moneyText(value), 'number wide-only'],
              [texts.toImport, ({ accepted }) => count(accepted), 'number'],
              [
                texts.theirValue,
                ({ accepted_value }) => moneyText(accepted_value),
                'number wide-only',
              ],
            ]}
            rows={totals.filter(({ rows }) => rows > 0)}
            keyOf={({ kind }) => kind}
          />
        </div>
        {currency !== DOLLARS && <p className="small soft">{texts.amountsInDollars}</p>}
        {columns.length > 0 && (
          <details className="fold">
            <summary>{columnsText(columns)}</summary>
            <dl className="column-uses">
              {columns.map(({ header, use }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may have a header twice
                <div key={at}>
                  <dt>{header || texts.noHeader}</dt>
                  <dd>{describeUse(use)}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        {unused.length > 0 && (
          <p className="small soft">
            {texts.columnsNotUsed(
              listText(unused.map(({ header }) => header || texts.columnWithoutHeader)),
            )}
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
    <section className="import-bar" aria-label={texts.importLabel}>
      {isFull && (
        <p className="note wait">
          {texts.roomLeft({
            collectionName: found.collection_name,
            room: found.room ?? 0,
            plansLink: <PlansLink />,
          })}
        </p>
      )}
      <FormError error={start.error} />
      <div className="import-bar-row">
        <p role="status">
          {texts.valueInRows({ value: <strong>{moneyText(value)}</strong>, accepted, hidden })}
          {unowned > 0 && <span className="small soft line">{texts.rowsForWishlist(unowned)}</span>}
          {open > 0 && <span className="small soft line">{texts.rowsNotDecided(open)}</span>}
        </p>
        <Button className="main" disabled={accepted === 0 || isFull} action={start}>
          {texts.importRows(accepted)}
        </Button>
      </div>
    </section>
  )
}
