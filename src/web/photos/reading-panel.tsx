import type { Reading } from '#client/endpoints.ts'
import * as texts from '#texts/photos/identify.ts'
import { Facts } from '../components/facts.tsx'

type ReadingPanelProps = { read: Reading; warnings: readonly string[] }

/** Shows what was read from the photo, and what was not readable. */
export function ReadingPanel({ read, warnings }: ReadingPanelProps) {
  return (
    <section className="panel reading-panel" aria-labelledby="read">
      <h2 id="read">{texts.readFromThePhoto}</h2>
      <Facts
        className="card-facts reading-facts"
        rows={factsOf(read).map(([name, value]) =>
          value === undefined ? [name, texts.notReadable, 'soft'] : [name, value],
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
    [texts.language, read.language],
    [texts.finish, read.finish],
    [texts.grade, read.grade],
    [texts.kind, KINDS[read.kind] ?? read.kind],
  ]
  return [
    [texts.name, readable.name ? read.name : undefined],
    [texts.number, readable.number ? read.number : undefined],
    [texts.set, readable.set ? read.set : undefined],
    ...seen.filter(([, value]) => value !== ''),
    [texts.editionStamp, stampText(read.stamp)],
  ]
}

const KINDS: Readonly<Record<string, string>> = {
  raw: texts.card,
  'graded slab': texts.gradedCard,
  back: texts.cardBack,
  sealed: texts.sealedProduct,
}

function stampText(stamp: string | null): string {
  if (stamp === null) return texts.none
  return stamp === 'unclear' ? texts.unclear : stamp
}
