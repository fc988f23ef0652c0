import type { ApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { agoText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'

type RevokeKeyDialogProps = { apiKey: ApiKey; onRevoked: () => void; onClose: () => void }

export function RevokeKeyDialog({ apiKey, onRevoked, onClose }: RevokeKeyDialogProps) {
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
