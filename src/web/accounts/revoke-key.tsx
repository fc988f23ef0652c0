import type { ApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Confirm } from '../components/confirm-dialog.tsx'
import { agoText } from '../format.ts'
import { useDeed } from '../hooks/use-action.ts'

type RevokeProps = { apiKey: ApiKey; onRevoked: () => void; onClose: () => void }

/** Asks once more before a key is revoked: there is no way back. */
export function RevokeDialog({ apiKey, onRevoked, onClose }: RevokeProps) {
  const { id, name, key_prefix, last4, last_used_at } = apiKey
  const revoke = useDeed(async () => {
    await api.delete('/v1/keys/{id}', { path: { id } })
    onRevoked()
  })
  return (
    <Confirm title={`Revoke “${name}”?`} yes="Revoke the key" deed={revoke} onClose={onClose}>
      <p>
        Whatever uses{' '}
        <code>
          {key_prefix}…{last4}
        </code>{' '}
        is refused from its next request on, for good. It was{' '}
        {last_used_at === null ? 'never used' : `last used ${agoText(last_used_at)}`}.
      </p>
    </Confirm>
  )
}
