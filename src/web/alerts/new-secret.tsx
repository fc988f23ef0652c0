import type { ChangedWatch } from '#client/endpoints.ts'
import type { OnceTold } from '../components/secret-dialog.tsx'
import { GUIDE } from './alert-text.ts'

/** What an alert's messages are signed with, as it is told; undefined where there is no new one. */
export function newSecretOf({ card_name, card_id, secret }: ChangedWatch): OnceTold | undefined {
  if (secret === undefined) return undefined
  return {
    title: `The secret of ${card_name ?? `card ${card_id}`}`,
    what: 'secret',
    text: secret,
    lead: 'Messages are signed with it. It is shown now and never again: keep it as you keep a password.',
    more: (
      <p>
        <a href={GUIDE} target="_blank" rel="noopener">
          How signatures are checked
        </a>
      </p>
    ),
  }
}
