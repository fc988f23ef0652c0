import type { OperatorStatus } from '#client/endpoints.ts'
import { dateTimeText } from '../format.ts'

/** Lists the latest errors of this server process. */
export function ErrorsList({ errors }: Pick<OperatorStatus, 'errors'>) {
  return (
    <section className="stack tight" aria-labelledby="errors">
      <h2 id="errors">Recent errors</h2>
      {errors.length === 0 ? (
        <p className="note">No errors since start.</p>
      ) : (
        <ul className="panel errors" aria-label="Recent errors">
          {errors.map(({ at, event, message, request_id }) => (
            <li key={`${at} ${event} ${message} ${request_id}`}>
              <p>
                <b>{event}</b>{' '}
                <time className="small soft" dateTime={at}>
                  {dateTimeText(at)}
                </time>
              </p>
              {message !== '' && <p className="small">{message}</p>}
              {request_id !== null && (
                <p className="small soft">
                  Request <code>{request_id}</code>
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
