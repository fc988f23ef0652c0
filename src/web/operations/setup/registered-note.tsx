import type { ServiceSettings } from '#client/endpoints.ts'
import * as texts from '#texts/operations/setup.ts'

type RegisteredNoteProps = { settings: ServiceSettings; mode: ServiceSettings['mode']['value'] }

/** Names the accounts that people have registered themselves: a private server keeps their limits. */
export function RegisteredNote({ settings, mode }: RegisteredNoteProps) {
  const { accounts, has_more } = settings.registered_accounts
  if (mode !== 'private' || accounts.length === 0) return null
  return (
    <div className="note wait">
      <p>{accounts.length === 1 ? texts.somebodyHasRegistered : texts.peopleHaveRegistered}</p>
      <ul>
        {accounts.map(({ id, email }) => (
          <li key={id}>{email}</li>
        ))}
        {has_more && <li>{texts.andMore}</li>}
      </ul>
      <p className="small">
        {texts.changeAccounts((text) => (
          <code>{text}</code>
        ))}
      </p>
    </div>
  )
}
