import type { ServiceSettings } from '#client/endpoints.ts'

type RegisteredNoteProps = { settings: ServiceSettings; mode: ServiceSettings['mode']['value'] }

/** Names the accounts that people have registered themselves: a private server keeps their limits. */
export function RegisteredNote({ settings, mode }: RegisteredNoteProps) {
  const { accounts, has_more } = settings.registered_accounts
  if (mode !== 'private' || accounts.length === 0) return null
  return (
    <div className="note wait">
      <p>
        {accounts.length === 1
          ? 'Somebody has registered this account without an invitation. It keeps the limits of its plan:'
          : 'People have registered these accounts without an invitation. They keep the limits of their plans:'}
      </p>
      <ul>
        {accounts.map(({ id, email }) => (
          <li key={id}>{email}</li>
        ))}
        {has_more && <li>and more</li>}
      </ul>
      <p className="small">
        On the server, <code>bun run admin account tier</code> changes a plan, and{' '}
        <code>bun run admin account delete</code> deletes an account.
      </p>
    </div>
  )
}
