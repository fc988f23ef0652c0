import type { Reading } from '#client/endpoints.ts'
import { Facts } from '../components/facts.tsx'

type ReadingPanelProps = { read: Reading; warnings: readonly string[] }

/** Shows what was read from the photo, and what was not readable. */
export function ReadingPanel({ read, warnings }: ReadingPanelProps) {
  return (
    <section className="panel reading-panel" aria-labelledby="read">
      <h2 id="read">Read from the photo</h2>
      <Facts
        className="card-facts reading-facts"
        rows={factsOf(read).map(([name, value]) =>
          value === undefined ? [name, 'Not readable', 'soft'] : [name, value],
        )}
      />
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

/** An undefined value is shown as not readable. Rare attributes are only listed if they were read. */
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
  raw: 'Card',
  'graded slab': 'Graded card',
  back: 'Card back',
  sealed: 'Sealed product',
}

function stampText(stamp: string | null): string {
  if (stamp === null) return 'None'
  return stamp === 'unclear' ? 'Unclear' : stamp
}
