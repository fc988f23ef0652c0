import type { UpdatedWebhook } from '#client/endpoints.ts'
import type { Secret } from '../components/secret-dialog.tsx'
import { ALERTS_GUIDE } from './alert-text.ts'

/** Describes the new signing secret for the secret dialog; undefined if the response has none. */
export function alertSecret({ card_name, card_id, secret }: UpdatedWebhook): Secret | undefined {
  if (secret === undefined) return undefined
  return {
    title: `Webhook secret for ${card_name ?? `card ${card_id}`}`,
    noun: 'secret',
    text: secret,
    lead: 'Deliveries are signed with this secret. It is shown only once, so save it now.',
    more: (
      <p>
        <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
          How to verify signatures
        </a>
      </p>
    ),
  }
}
