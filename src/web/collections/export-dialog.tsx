import { useId, useState } from 'react'
import * as texts from '#texts/collections/files.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { fileNameOf, saveFile } from '../save-file.ts'
import {
  countOthers,
  describeFormat,
  type FileFormat,
  type GameItems,
  listFormats,
} from './export-formats.ts'

type ExportDialogProps = {
  /** Name of the list. */
  name: string
  /** Numbers of items by game; undefined if they are not known. */
  games: readonly GameItems[] | undefined
  load: (format: FileFormat) => Promise<Blob>
  /** Cards that the file lacks. */
  note?: string | undefined
  onClose: () => void
}

/** Saves a list of cards as a file of an app. Only apps that have one of its games are offered. */
export function ExportDialog({ name, games, load, note, onClose }: ExportDialogProps) {
  const id = useId()
  const [format, setFormat] = useState<FileFormat>('full')
  const save = useAction(async () => {
    saveFile(`${fileNameOf(name)}-${format}.csv`, await load(format))
    onClose()
  })
  const others = countOthers(format, games)
  return (
    <Dialog title={texts.exportCollection(name)} onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>{texts.format}</label>
        <Select
          id={id}
          aria-describedby={`${id}-note`}
          options={listFormats(games)}
          value={format}
          // The select has only these.
          onChange={(next) => setFormat(next as FileFormat)}
        />
        <p className="field-note" id={`${id}-note`}>
          {describeFormat(format)}
        </p>
      </div>
      {others > 0 && (
        <p className="note wait" role="status">
          {texts.othersLeftOut(others)}
        </p>
      )}
      {note !== undefined && <p className="note wait">{note}</p>}
      <FormError error={save.error} />
      <div className="row end">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button className="main" action={save}>
          {texts.download}
        </Button>
      </div>
    </Dialog>
  )
}
