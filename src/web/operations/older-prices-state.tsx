import type { HistoryImport } from '#client/endpoints.ts'
import * as texts from '#texts/operations/older-prices.ts'
import { Meter } from '../components/meter.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText, count, dayText } from '../format.ts'

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
  if (started_at === null) return <p>{texts.waitsForTheSync(name)}</p>
  if (days === null) return <p>{texts.readingFiles({ name, filesRead: files_read })}</p>
  const text = texts.ofDays({ daysStored: count(days_stored), days })
  return (
    <>
      <Meter label={texts.daysImported} value={days_stored} max={days} text={text} />
      <p>{texts.readSoFar({ text, points })}</p>
    </>
  )
}

/** Says what is covered: "13 days, 62,996 prices". */
function coverageText({ days_stored, points }: HistoryImport): string {
  return texts.coverage({ days: days_stored, prices: points })
}

function describeEnd(state: HistoryImport): { mark: 'good' | 'wait' | 'bad'; title: string } {
  const { days, days_stored, failure_count, cut_day } = state
  if (state.state === 'complete') {
    const isWhole = failure_count === 0 && cut_day === null
    return { mark: isWhole ? 'good' : 'wait', title: coverageText(state) }
  }
  const read = days_stored > 0 ? { coverage: coverageText(state), days: days ?? 0 } : undefined
  if (state.state === 'failed') return { mark: 'bad', title: texts.importFailed(read) }
  const text = state.state === 'canceled' ? texts.importCanceled : texts.importInterrupted
  return { mark: 'wait', title: text(read) }
}

function notesOf(state: HistoryImport): string[] {
  const { first_day, last_day, cut_day, unknown_cards, bad_records, failure_count } = state
  return [
    ...(first_day !== null && last_day !== null
      ? [texts.fromTo({ firstDay: dayText(first_day), lastDay: dayText(last_day) })]
      : []),
    ...(cut_day === null ? [] : [texts.archiveIsCutOff(dayText(cut_day))]),
    ...(unknown_cards > 0 ? [texts.pricesSkipped(unknown_cards)] : []),
    ...(bad_records > 0 ? [texts.recordsSkipped(bad_records)] : []),
    ...(failure_count > 0 ? [texts.filesUnreadable(failure_count)] : []),
  ]
}
