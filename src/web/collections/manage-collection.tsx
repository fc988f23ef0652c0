import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { api } from '../api.ts'
import { toApiError } from '../api-error.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { NameDialog } from '../components/name-dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { forgetAnswers, refetchAfterChange } from '../query-client.ts'

type CollectionDialogProps = { collection: Collection; onClose: () => void }

/** Renames a collection. If another tab has renamed it since, the next attempt replaces that name deliberately. */
export function RenameDialog({ collection, onClose }: CollectionDialogProps) {
  const { id } = collection
  const [base, setBase] = useState(collection)
  const rename = async (name: string) => {
    const body = { name, revision: base.revision }
    await api.patch('/v1/collections/{id}', { path: { id }, body }).catch((cause: unknown) => {
      const { code, current } = toApiError(cause)
      // The endpoint declares what `current` is.
      if (code === 'REVISION_CONFLICT') setBase(current as Collection)
      throw cause
    })
    refetchAfterChange('/v1/collections')
    onClose()
  }
  return (
    <NameDialog
      title={texts.rename}
      name={collection.name}
      save={rename}
      explain={({ code }) =>
        code === 'REVISION_CONFLICT' ? (
          <p className="note wait" role="alert">
            {texts.renamedElsewhere(base.name)}
          </p>
        ) : undefined
      }
      onClose={onClose}
    />
  )
}

export function DeleteDialog({ collection, onClose }: CollectionDialogProps) {
  const { id, name, item_count, shared_at } = collection
  const [, go] = useLocation()
  const remove = useAction(async () => {
    await api.delete('/v1/collections/{id}', { path: { id } })
    forgetAnswers()
    go('/collection')
  })
  return (
    <ConfirmDialog
      title={texts.deleteCollection(name)}
      confirmLabel={texts.deleteLabel}
      action={remove}
      onClose={onClose}
    >
      <p>
        {shared_at === null
          ? texts.deletionExplained(item_count)
          : texts.deletionOfSharedExplained(item_count)}
      </p>
    </ConfirmDialog>
  )
}
