import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { useAction } from '../hooks/use-action.ts'
import { clearQueryCache } from '../hooks/use-query.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { KINDS } from './item-text.ts'
import { collectionUrl } from './queries.ts'

/** Creates a collection or a wish list, and opens it. */
export function NewCollectionDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('owned')
  const required = useRequiredFields()
  const create = useAction(async () => {
    const { data } = await api.post('/v1/collections', { body: { name: name.trim(), kind } })
    clearQueryCache()
    go(collectionUrl(data.id))
  })
  return (
    <Dialog title="New collection" onClose={onClose}>
      <form noValidate className="stack" onSubmit={required.submitTo(create)}>
        <FormError error={create.error} />
        <SegmentedControl label="Kind" options={KINDS} value={kind} onChange={setKind} />
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
          <Button type="submit" className="main" isBusy={create.isRunning}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
