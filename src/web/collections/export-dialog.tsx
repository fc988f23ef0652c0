import { useId, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { fileNameOf, saveFile } from '../save-file.ts'
import { FORMATS } from './item-text.ts'

type ExportFormat = (typeof FORMATS)[number][0]

type ExportDialogProps = {
  /** Name of the list. */
  name: string
  load: (format: ExportFormat) => Promise<Blob>
  /** Cards that the file lacks. */
  note?: string | undefined
  onClose: () => void
}

/** Saves a list of cards as a file of an app. */
export function ExportDialog({ name, load, note, onClose }: ExportDialogProps) {
  const id = useId()
  const [format, setFormat] = useState<ExportFormat>('full')
  const save = useAction(async () => {
    saveFile(`${fileNameOf(name)}-${format}.csv`, await load(format))
    onClose()
  })
  return (
    <Dialog title={`Export “${name}”`} onClose={onClose}>
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
      {note !== undefined && <p className="note wait">{note}</p>}
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
