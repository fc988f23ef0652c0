import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ApiKey, CreatedApiKey } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/account.ts'
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
    setStatusText(texts.isRevoked(name))
    refetchAfterChange('/v1/keys')
    // The focused button disappears with its key.
    status.current?.focus()
  }
  const all = keys.data?.data ?? []
  const active = all.filter(({ is_active }) => is_active)
  const revoked = all.filter(({ is_active }) => !is_active)
  return (
    <Page
      title={texts.keys}
      lead={texts.sendAKeyWithEachRequest}
      aside={
        <Link className="button main" href={`${path}?new`}>
          {texts.createKey}
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
          <ul className="stack tight" aria-label={texts.activeKeys}>
            {active.map((key) => (
              <KeyItem key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </ul>
        )}
        {revoked.length > 0 && (
          <details className="more">
            <summary>{texts.revokedKeysOf(count(revoked.length))}</summary>
            <ul className="stack tight" aria-label={texts.revokedKeys}>
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
      <h2>{texts.noKeysYet}</h2>
      <p>{texts.programsNeedAKey}</p>
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
          [texts.created, dayText(created_at)],
          [texts.lastUsed, last_used_at === null ? texts.never : agoText(last_used_at)],
          [texts.today, count(apiKey.requests_today)],
          [texts.total, count(apiKey.requests_total)],
        ]}
      />
      {onRevoke === undefined ? (
        <span className="tag">{texts.revoked}</span>
      ) : (
        <Button className="danger" aria-label={texts.revokeNamed(name)} onClick={onRevoke}>
          {texts.revoke}
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
      title={texts.revokeQuestion(name)}
      confirmLabel={texts.revokeKey}
      action={revoke}
      onClose={onClose}
    >
      <p>
        {texts.revokedAtOnce({
          key: (
            <code>
              {key_prefix}…{last4}
            </code>
          ),
          lastUsed: last_used_at === null ? undefined : agoText(last_used_at),
        })}
      </p>
    </ConfirmDialog>
  )
}
