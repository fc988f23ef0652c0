import type { Reading } from '#client/endpoints.ts'

type ReadingPanelProps = { read: Reading; warnings: readonly string[] }

/** What the photo shows. What could not be read is said, not left away. */
export function ReadingPanel({ read, warnings }: ReadingPanelProps) {
  return (
    <section className="panel read" aria-labelledby="read">
      <h2 id="read">Read on the photo</h2>
      <dl className="read-facts">
        {factsOf(read).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            {value === undefined ? <dd className="soft">Could not be read</dd> : <dd>{value}</dd>}
          </div>
        ))}
      </dl>
      {read.notes !== '' && <p>{read.notes}</p>}
      {warnings.length > 0 && (
        <ul className="note wait">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Undefined: it is on every card, and was not read. What few cards have stands there only if it was. */
function factsOf(read: Reading): [name: string, value: string | undefined][] {
  const { readable } = read
  const seen: [string, string][] = [
    ['Language', read.language],
    ['Finish', read.finish],
    ['Grade', read.grade],
    ['Kind', KINDS[read.kind] ?? read.kind],
  ]
  return [
    ['Name', readable.name ? read.name : undefined],
    ['Number', readable.number ? read.number : undefined],
    ['Set', readable.set ? read.set : undefined],
    ...seen.filter(([, value]) => value !== ''),
    ['Edition stamp', stampText(read.stamp)],
  ]
}

const KINDS: Readonly<Record<string, string>> = {
  raw: 'A card',
  'graded slab': 'A graded card in its case',
  back: 'The back of a card',
  sealed: 'A sealed product',
}

function stampText(stamp: string | null): string {
  if (stamp === null) return 'None'
  return stamp === 'unclear' ? 'Cannot be told' : stamp
}
