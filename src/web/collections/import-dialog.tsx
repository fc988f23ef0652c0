import { type DragEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useGames } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { GameSelect } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { forgetAnswers } from '../query-client.ts'
import { importUrl } from './imports/import-queries.ts'
import { OpenImportsHint } from './imports/open-imports.tsx'
import { FILE_APPS, LIST_APPS } from './known-apps.ts'
import { PreferSelect, usePreference } from './prefer-select.tsx'

type ImportDialogProps = { collection: Collection; onClose: () => void }

/** Reads a dropped or chosen file, or a pasted list, and opens the page of its import. */
export function ImportDialog({ collection, onClose }: ImportDialogProps) {
  const [, go] = useLocation()
  const [file, setFile] = useState<File>()
  const [list, setList] = useState('')
  const [game, setGame] = useState('')
  const [prefer, setPrefer] = usePreference()
  const [isListed, setListed] = useState(false)
  const games = useGames()
  const read = useAction(async () => {
    const unowned = isListed ? 'wishlist' : 'leave_out'
    const file_name = file?.name.slice(-FILE_NAME_MAX)
    const query = { game: game || undefined, prefer, unowned, file_name, draft: 'true' } as const
    const path = { id: collection.id }
    const body = file === undefined ? new Blob([list], { type: 'text/plain' }) : formOf(file)
    const { data } = await api.post('/v1/collections/{id}/import', { path, query, body })
    forgetAnswers()
    go(importUrl(data.import_id))
  })
  const isEmpty = file === undefined && list.trim() === ''
  return (
    <Dialog
      title={`Import to “${collection.name}”`}
      mayClose={!read.isRunning}
      onClose={() => !read.isRunning && onClose()}
    >
      <OpenImportsHint />
      <FileDrop file={file} onFile={setFile} />
      {file === undefined && <ListField value={list} onChange={setList} />}
      <KnownApps />
      <div className="import-options">
        <GameSelect
          label="Game of rows without a game"
          all="Any game"
          games={games.data?.data ?? []}
          value={game}
          onChange={setGame}
        />
        <PreferSelect value={prefer} onChange={setPrefer} />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isListed}
          onChange={({ target }) => setListed(target.checked)}
        />
        Put cards of watchlists, lists and decks on the wish list
      </label>
      <p className="small soft">
        First you see which cards were found. Nothing is stored before you import them.
      </p>
      <FormError error={read.error} />
      <p role="status" className="small soft">
        {read.isRunning && 'Finding the cards… A large file takes up to a minute.'}
      </p>
      <div className="row end">
        <Button isBusy={read.isRunning} onClick={onClose}>
          Cancel
        </Button>
        <Button className="main" disabled={isEmpty} action={read}>
          Continue
        </Button>
      </div>
    </Dialog>
  )
}

/** Maximum of the API, which file systems do not exceed. */
const FILE_NAME_MAX = 255

/** Apps whose files and lists work unchanged. */
function KnownApps() {
  return (
    <p className="small soft">
      Known apps: {FILE_APPS.join(', ')}. Lists of {LIST_APPS.join(', ')} and these apps.{' '}
      <a href="/guides/collection-files" target="_blank" rel="noopener">
        Columns and lines that are understood
      </a>
    </p>
  )
}

/** Browsers label CSV files in different ways: a form lets the server look at the content. */
function formOf(file: File): FormData {
  const form = new FormData()
  form.append('file', file)
  return form
}

type FileDropProps = { file: File | undefined; onFile: (file: File | undefined) => void }

function FileDrop({ file, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same without a pointer
    <div
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File"
        accept=".csv,.tsv,.txt,.dek,.cod,.ydk,.json,text/csv,text/plain,application/json"
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      <p>{file === undefined ? 'Drop the file of an app here, or' : file.name}</p>
      <Button onClick={() => input.current?.click()}>
        {file === undefined ? 'Choose file' : 'Choose another file'}
      </Button>
      {file !== undefined && (
        <Button className="quiet" onClick={() => onFile(undefined)}>
          Remove file
        </Button>
      )}
    </div>
  )
}

type ListFieldProps = { value: string; onChange: (text: string) => void }

function ListField({ value, onChange }: ListFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Or paste a list</label>
      <textarea
        id={id}
        className="input list-text"
        rows={4}
        placeholder={'4 Absol ROS 40\n1 Umbreon [Evolving Skies]'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
