import type { HistoryImport } from '#client/endpoints.ts'
import { Meter } from '../components/meter.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText, count, dayText, plural } from '../format.ts'

/** Shows the progress or the result of the last import of older prices. */
export function ImportState({ state }: { state: HistoryImport }) {
  if (state.state === 'none') return null
  if (state.state === 'running') return <Running state={state} />
  const { mark, title } = describeEnd(state)
  return (
    <>
      <p className="row tight">
        <StatusMark state={mark} />
        <span>
          <b>{title}</b>{' '}
          <span className="soft">
            {[state.name, state.ended_at && agoText(state.ended_at)].filter(Boolean).join(' · ')}
          </span>
        </span>
      </p>
      {state.problem !== null && <p className="small">{state.problem}</p>}
      {notesOf(state).map((note) => (
        <p key={note} className="small soft">
          {note}
        </p>
      ))}
      {state.failures.length > 0 && (
        <ul className="failures small">
          {state.failures.map(({ file, message }) => (
            <li key={file}>
              <b>{file}</b>: {message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Running({
  state: { name, days, days_stored, points, files_read, started_at },
}: {
  state: HistoryImport
}) {
  if (started_at === null) return <p>{name} waits until the sync has ended.</p>
  if (days === null)
    return (
      <p>
        Reading {name}: {plural(files_read, 'file')}…
      </p>
    )
  const text = `${count(days_stored)} of ${plural(days, 'day')}`
  return (
    <>
      <Meter label="Days imported" value={days_stored} max={days} text={text} />
      <p>
        {text}, {plural(points, 'price')}. You can close this page.
      </p>
    </>
  )
}

/** Says what is covered: "13 days, 62,996 prices". */
function coverageText({ days_stored, points }: HistoryImport): string {
  return `${plural(days_stored, 'day')}, ${plural(points, 'price')}`
}

function describeEnd(state: HistoryImport): { mark: 'good' | 'wait' | 'bad'; title: string } {
  const { days, days_stored, failure_count, cut_day } = state
  if (state.state === 'complete') {
    const isWhole = failure_count === 0 && cut_day === null
    return { mark: isWhole ? 'good' : 'wait', title: coverageText(state) }
  }
  const part = days_stored > 0 ? ` after ${coverageText(state)} of ${plural(days ?? 0, 'day')}` : ''
  if (state.state === 'failed') return { mark: 'bad', title: `The import failed${part}.` }
  const verb = state.state === 'canceled' ? 'canceled' : 'interrupted'
  return { mark: 'wait', title: `The import was ${verb}${part}.` }
}

function notesOf(state: HistoryImport): string[] {
  const { first_day, last_day, cut_day, unknown_cards, bad_records, failure_count } = state
  return [
    ...(first_day !== null && last_day !== null
      ? [`From ${dayText(first_day)} to ${dayText(last_day)}.`]
      : []),
    ...(cut_day === null
      ? []
      : [`The archive is cut off in ${dayText(cut_day)}. That day was left out.`]),
    ...(unknown_cards > 0
      ? [`${plural(unknown_cards, 'price')} skipped, because the catalog does not have the card.`]
      : []),
    ...(bad_records > 0 ? [`${plural(bad_records, 'invalid record')} skipped.`] : []),
    ...(failure_count > 0 ? [`${plural(failure_count, 'file')} could not be read:`] : []),
  ]
}
