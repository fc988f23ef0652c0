import type { OperatorStatus } from '#client/endpoints.ts'
import { dateTimeText } from '../format.ts'

/** The last errors of the server that answers. */
export function ErrorsList({ errors }: Pick<OperatorStatus, 'errors'>) {
  return (
    <section className="stack tight" aria-labelledby="errors">
      <h2 id="errors">Last errors</h2>
      {errors.length === 0 ? (
        <p className="note">There was none since the start.</p>
      ) : (
        <ul className="panel errors" aria-label="Last errors">
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
