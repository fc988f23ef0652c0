import type { UpdatedWebhook } from '#client/endpoints.ts'
import type { Secret } from '../components/secret-dialog.tsx'
import { ALERTS_GUIDE } from './alert-text.ts'

/** What an alert's messages are signed with, as it is told; undefined where there is no new one. */
export function alertSecret({ card_name, card_id, secret }: UpdatedWebhook): Secret | undefined {
  if (secret === undefined) return undefined
  return {
    title: `The secret of ${card_name ?? `card ${card_id}`}`,
    noun: 'secret',
    text: secret,
    lead: 'Messages are signed with it. It is shown now and never again: keep it as you keep a password.',
    more: (
      <p>
        <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
          How signatures are checked
        </a>
      </p>
    ),
  }
}
