import { useState } from 'react'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { toApiError } from '../api-error.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { plural } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'

type CollectionDialogProps = { collection: Collection; onDone: () => void; onClose: () => void }

/** Renames a collection. If another tab was faster, the next attempt replaces its name knowingly. */
export function RenameDialog({ collection, onDone, onClose }: CollectionDialogProps) {
  const { id } = collection
  const [base, setBase] = useState(collection)
  const [name, setName] = useState(collection.name)
  const required = useRequiredFields()
  const rename = useAction(async () => {
    const body = { name: name.trim(), revision: base.revision }
    await api.patch('/v1/collections/{id}', { path: { id }, body }).catch((cause: unknown) => {
      const { code, current } = toApiError(cause)
      // The endpoint declares what `current` is.
      if (code === 'REVISION_CONFLICT') setBase(current as Collection)
      throw cause
    })
    onDone()
  })
  const isChanged = rename.error?.code === 'REVISION_CONFLICT'
  return (
    <Dialog title="Rename" onClose={onClose}>
      <form noValidate className="stack" onSubmit={required.submitTo(rename)}>
        {isChanged ? (
          <p className="note wait" role="alert">
            It was renamed elsewhere, to “{base.name}”. Save again to replace that name.
          </p>
        ) : (
          <FormError error={rename.error} />
        )}
        <Field
          label="Name"
          name="name"
          required
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={required.errorOf('name', 'Name', name)}
        />
        <div className="row end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" className="main" isBusy={rename.isRunning}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function DeleteDialog({ collection, onDone, onClose }: CollectionDialogProps) {
  const { id, name, item_count, shared_at } = collection
  const remove = useAction(async () => {
    await api.delete('/v1/collections/{id}', { path: { id } })
    onDone()
  })
  return (
    <ConfirmDialog
      title={`Delete “${name}”?`}
      confirmLabel="Delete"
      action={remove}
      onClose={onClose}
    >
      <p>
        Its {plural(item_count, 'item')} will be deleted
        {shared_at !== null && ', and its link will end'}. You cannot undo this. To keep a copy,
        export it first.
      </p>
    </ConfirmDialog>
  )
}
