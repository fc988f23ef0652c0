import { Link } from 'wouter'
import type { CollectionImportReport } from '#client/endpoints.ts'
import { PlansLink } from '../components/plans-link.tsx'
import { Table } from '../components/table.tsx'
import { count, plural } from '../format.ts'
import { problemText } from './item-text.ts'

type Problem = CollectionImportReport['problems'][number]

/** Shows how many rows were imported, and lists the rows to check, skipped ones first. */
export function ImportResult({ report }: { report: CollectionImportReport }) {
  const { rows, imported, skipped, problems, problem_count, is_full, is_repeated } = report
  const left = problem_count - problems.length
  return (
    <>
      <p role="status">
        <strong>
          {count(imported)} of {plural(rows, 'row')}
        </strong>{' '}
        {is_repeated ? 'were imported before. Nothing was added.' : 'are in the collection.'}
        {skipped > 0 && ` ${plural(skipped, 'row')} could not be imported.`}
      </p>
      {is_full && (
        <p className="note wait">
          The collection is full: the rest of the file was not imported. <PlansLink />
        </p>
      )}
      <Problems title="Not imported" rows={problems.filter(({ is_imported }) => !is_imported)} />
      <Problems
        title="Imported, but please check them"
        rows={problems.filter(({ is_imported }) => is_imported)}
      />
      {left > 0 && <p className="small soft">And {plural(left, 'more problem')}.</p>}
    </>
  )
}

function Problems({ title, rows }: { title: string; rows: readonly Problem[] }) {
  if (rows.length === 0) return null
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className="table-frame problem-table" aria-label={`${title}: rows`} tabIndex={0}>
        <Table
          columns={[
            ['Row', ({ row }) => count(row)],
            ['Name', ({ name }) => name ?? '–'],
            ['Problem', (problem) => <Cause problem={problem} />],
          ]}
          rows={rows}
          keyOf={({ row, reason }) => `${row} ${reason}`}
        />
      </section>
    </section>
  )
}

/** Reasons that are shown with the card that was taken, or that the row may mean. */
const NAMES_CARD: ReadonlySet<string> = new Set([
  'similar_name',
  'guessed',
  'assumed',
  'printing_assumed',
])

function Cause({ problem: { reason, card_id, card_name } }: { problem: Problem }) {
  return (
    <>
      {problemText(reason)}
      {card_id !== null && NAMES_CARD.has(reason) && (
        <>
          : <Link href={`/cards/${card_id}`}>{card_name}</Link>
        </>
      )}
    </>
  )
}
