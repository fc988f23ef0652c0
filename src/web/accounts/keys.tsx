import { useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ApiKey, NewApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { useShowSecret } from '../components/secret-dialog.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { agoText, count, dayText } from '../format.ts'
import { clearQueryCache, useQuery } from '../hooks/use-query.ts'
import { keySecret, NewKeyDialog } from './new-key.tsx'
import { RevokeKeyDialog } from './revoke-key.tsx'

/** An account's keys: made, looked at, revoked. */
export function KeysView() {
  const keys = useQuery('keys', (signal) => api.get('/v1/keys', { signal }))
  const [path, go] = useLocation()
  const isMaking = new URLSearchParams(useSearch()).has('new')
  const [leaving, setLeaving] = useState<ApiKey>()
  const [told, setTold] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const tell = useShowSecret()

  const askAgain = () => {
    // Other pages count the keys, too.
    clearQueryCache()
    keys.again()
  }

  const made = (key: NewApiKey) => {
    tell(keySecret(key))
    go(path, { replace: true })
    askAgain()
  }
  const revoked = ({ name }: ApiKey) => {
    setLeaving(undefined)
    setTold(`“${name}” is revoked. Its next request is refused.`)
    askAgain()
    // The button that had the focus goes away with the key.
    status.current?.focus()
  }
  const all = keys.data?.data ?? []
  const active = all.filter(({ is_active }) => is_active)
  const old = all.filter(({ is_active }) => !is_active)
  return (
    <Page
      title="Keys"
      lead="Programs show a key with each request, in the header X-API-Key."
      aside={
        <Link className="button main" href={`${path}?new`}>
          Make a key
        </Link>
      }
    >
      <div className="stack">
        <p ref={status} className="told" role="status" tabIndex={-1}>
          {told}
        </p>
        {keys.state === 'failed' && <ErrorMessage error={keys.error} again={keys.again} />}
        {keys.state === 'loading' && keys.data === undefined && <LineSkeleton count={4} />}
        {keys.data !== undefined && active.length === 0 && <NoKeys />}
        {active.length > 0 && (
          <ul className="keys" aria-label="Active keys">
            {active.map((key) => (
              <KeyItem key={key.id} apiKey={key} onRevoke={() => setLeaving(key)} />
            ))}
          </ul>
        )}
        {old.length > 0 && (
          <details className="more">
            <summary>Revoked keys ({count(old.length)})</summary>
            <ul className="keys" aria-label="Revoked keys">
              {old.map((key) => (
                <KeyItem key={key.id} apiKey={key} />
              ))}
            </ul>
          </details>
        )}
      </div>
      {isMaking && <NewKeyDialog onCreated={made} onClose={() => go(path, { replace: true })} />}
      {leaving && (
        <RevokeKeyDialog
          apiKey={leaving}
          onRevoked={() => revoked(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Page>
  )
}

function NoKeys() {
  return (
    <div className="note">
      <h2>You have no key yet</h2>
      <p>
        With a key your programs ask for prices: make one, and try it with the line that comes with
        it.
      </p>
    </div>
  )
}

function KeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke?: () => void }) {
  const { name, key_prefix, last4, created_at, last_used_at } = apiKey
  return (
    <li className="panel key">
      <div className="key-name">
        <h3>{name}</h3>
        <code>
          {key_prefix}…{last4}
        </code>
      </div>
      <dl className="key-facts">
        <div>
          <dt>Made</dt>
          <dd>{dayText(created_at)}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>{last_used_at === null ? 'Never' : agoText(last_used_at)}</dd>
        </div>
        <div>
          <dt>Today</dt>
          <dd>{count(apiKey.requests_today)}</dd>
        </div>
        <div>
          <dt>In all</dt>
          <dd>{count(apiKey.requests_total)}</dd>
        </div>
      </dl>
      {onRevoke === undefined ? (
        <span className="tag">Revoked</span>
      ) : (
        <button
          type="button"
          className="button danger"
          aria-label={`Revoke ${name}`}
          onClick={onRevoke}
        >
          Revoke
        </button>
      )}
    </li>
  )
}
