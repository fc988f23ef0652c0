import type { OperatorStatus } from '#client/endpoints.ts'
import { dateTimeText } from '../format.ts'

/** Lists the latest errors of the servers. */
export function ErrorsList({ errors }: Pick<OperatorStatus, 'errors'>) {
  return (
    <section className="stack tight" aria-labelledby="errors">
      <h2 id="errors">Recent errors</h2>
      {errors.length === 0 ? (
        <p className="note">No errors since start.</p>
      ) : (
        <ul className="panel errors" aria-label="Recent errors">
          {errors.map(({ at, event, message, request_id, server }) => (
            <li key={`${at} ${event} ${message} ${request_id} ${server}`}>
              <p>
                <b>{event}</b>{' '}
                <time className="small soft" dateTime={at}>
                  {dateTimeText(at)}
                </time>
                {server !== null && <span className="small soft"> on {server}</span>}
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
