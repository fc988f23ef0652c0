import { useId, useState } from 'react'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { fileNameOf, saveFile } from '../save-file.ts'
import { FORMATS } from './item-text.ts'

type ExportDialogProps = { collection: Collection; onClose: () => void }

/** Saves a collection as a file of an app. */
export function ExportDialog({ collection, onClose }: ExportDialogProps) {
  const id = useId()
  const [format, setFormat] = useState<(typeof FORMATS)[number][0]>('full')
  const save = useAction(async () => {
    const path = { id: collection.id }
    const content = await api.get('/v1/collections/{id}/export', { path, query: { format } })
    saveFile(`${fileNameOf(collection.name)}-${format}.csv`, content)
    onClose()
  })
  return (
    <Dialog title={`Export “${collection.name}”`} onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>Format</label>
        <Select
          id={id}
          options={FORMATS}
          value={format}
          // The select has only these.
          onChange={(next) => setFormat(next as typeof format)}
        />
        <p className="field-note">
          “Everything” keeps all that you have entered. Apps know less: some only tell foils from
          other printings.
        </p>
      </div>
      <FormError error={save.error} />
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button className="main" action={save}>
          Download
        </Button>
      </div>
    </Dialog>
  )
}
