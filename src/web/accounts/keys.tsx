import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ApiKey, CreatedApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Facts } from '../components/facts.tsx'
import { Page } from '../components/page.tsx'
import { useShowSecret } from '../components/secret-dialog.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { agoText, count, dayText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'
import { keySecret, NewKeyDialog } from './new-key.tsx'

/** Lists, creates and revokes API keys. */
export function KeysView() {
  const keys = useQuery(apiQuery('/v1/keys'))
  const [path, go] = useLocation()
  const isCreating = new URLSearchParams(useSearch()).has('new')
  const [revoking, setRevoking] = useState<ApiKey>()
  const [statusText, setStatusText] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const showSecret = useShowSecret()

  const onCreated = (key: CreatedApiKey) => {
    showSecret(keySecret(key))
    go(path, { replace: true })
    refetchAfterChange('/v1/keys')
  }
  const onRevoked = ({ name }: ApiKey) => {
    setRevoking(undefined)
    setStatusText(`“${name}” is revoked.`)
    refetchAfterChange('/v1/keys')
    // The focused button disappears with its key.
    status.current?.focus()
  }
  const all = keys.data?.data ?? []
  const active = all.filter(({ is_active }) => is_active)
  const revoked = all.filter(({ is_active }) => !is_active)
  return (
    <Page
      title="Keys"
      lead="Send a key with each request, in the X-API-Key header."
      aside={
        <Link className="button main" href={`${path}?new`}>
          Create key
        </Link>
      }
    >
      <div className="stack">
        <p ref={status} className="status-line" role="status" tabIndex={-1}>
          {statusText}
        </p>
        <QueryError query={keys} />
        {keys.isPending && <LineSkeleton count={4} />}
        {keys.data !== undefined && active.length === 0 && <NoKeys />}
        {active.length > 0 && (
          <ul className="stack tight" aria-label="Active keys">
            {active.map((key) => (
              <KeyItem key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </ul>
        )}
        {revoked.length > 0 && (
          <details className="more">
            <summary>Revoked keys ({count(revoked.length)})</summary>
            <ul className="stack tight" aria-label="Revoked keys">
              {revoked.map((key) => (
                <KeyItem key={key.id} apiKey={key} />
              ))}
            </ul>
          </details>
        )}
      </div>
      {isCreating && (
        <NewKeyDialog onCreated={onCreated} onClose={() => go(path, { replace: true })} />
      )}
      {revoking && (
        <RevokeKeyDialog
          apiKey={revoking}
          onRevoked={() => onRevoked(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Page>
  )
}

function NoKeys() {
  return (
    <div className="note">
      <h2>No keys yet</h2>
      <p>Your programs need a key to get prices. Create one and try it with the example request.</p>
    </div>
  )
}

function KeyItem({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke?: () => void }) {
  const { name, key_prefix, last4, created_at, last_used_at } = apiKey
  return (
    <li className="panel key">
      <div className="key-name">
        <h2>{name}</h2>
        <code>
          {key_prefix}…{last4}
        </code>
      </div>
      <Facts
        className="key-facts"
        rows={[
          ['Created', dayText(created_at)],
          ['Last used', last_used_at === null ? 'Never' : agoText(last_used_at)],
          ['Today', count(apiKey.requests_today)],
          ['Total', count(apiKey.requests_total)],
        ]}
      />
      {onRevoke === undefined ? (
        <span className="tag">Revoked</span>
      ) : (
        <Button className="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  )
}

type RevokeKeyDialogProps = { apiKey: ApiKey; onRevoked: () => void; onClose: () => void }

function RevokeKeyDialog({ apiKey, onRevoked, onClose }: RevokeKeyDialogProps) {
  const { id, name, key_prefix, last4, last_used_at } = apiKey
  const revoke = useAction(async () => {
    await api.delete('/v1/keys/{id}', { path: { id } })
    onRevoked()
  })
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      confirmLabel="Revoke key"
      action={revoke}
      onClose={onClose}
    >
      <p>
        Requests with{' '}
        <code>
          {key_prefix}…{last4}
        </code>{' '}
        will be rejected immediately. You cannot undo this. This key was{' '}
        {last_used_at === null ? 'never used' : `last used ${agoText(last_used_at)}`}.
      </p>
    </ConfirmDialog>
  )
}
