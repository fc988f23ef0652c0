import { type DragEvent, useId, useRef, useState } from 'react'
import type { Collection, CollectionImportReport } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useGames } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { GameSelect } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { refetchAfterChange } from '../query-client.ts'
import { ImportResult } from './import-result.tsx'
import { PreferSelect, usePreference } from './prefer-select.tsx'

type ImportDialogProps = { collection: Collection; onClose: () => void }

/** Imports a dropped or chosen file, or a pasted list, and shows the result for its rows. */
export function ImportDialog({ collection, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<File>()
  const [list, setList] = useState('')
  const [game, setGame] = useState('')
  const [prefer, setPrefer] = usePreference()
  const [report, setReport] = useState<CollectionImportReport>()
  const [accept, setAccept] = useState<'guessed'>()
  const games = useGames()
  const send = useAction(async (extra: { again?: 'true'; accept?: 'guessed' }) => {
    const query = { game: game || undefined, prefer, ...extra }
    const path = { id: collection.id }
    const body = file === undefined ? new Blob([list], { type: 'text/plain' }) : formOf(file)
    const { data } = await api.post('/v1/collections/{id}/import', { path, query, body })
    setReport(data)
    setAccept(extra.accept)
    refetchAfterChange('/v1/collections')
  })
  if (report !== undefined) {
    return (
      <Dialog title="Import" onClose={onClose}>
        <ImportResult report={report} />
        <FormError error={send.error} />
        <div className="row end">
          {report.is_repeated && (
            <Button
              isBusy={send.isRunning}
              onClick={() => void send.start({ again: 'true', ...(accept && { accept }) })}
            >
              Add it again
            </Button>
          )}
          {report.problems.some(({ reason }) => reason === 'guessed') && (
            <Button isBusy={send.isRunning} onClick={() => void send.start({ accept: 'guessed' })}>
              Import uncertain rows, too
            </Button>
          )}
          <Button className="main" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  const isEmpty = file === undefined && list.trim() === ''
  return (
    <Dialog title={`Import to “${collection.name}”`} mayClose={!send.isRunning} onClose={onClose}>
      <FileDrop file={file} onFile={setFile} />
      {file === undefined && <ListField value={list} onChange={setList} />}
      <GameSelect
        label="Game of rows without a game"
        all="Any game"
        games={games.data?.data ?? []}
        value={game}
        onChange={setGame}
      />
      <PreferSelect value={prefer} onChange={setPrefer} />
      <FormError error={send.error} />
      <p role="status" className="small soft">
        {send.isRunning && 'Importing… A large file takes up to a minute.'}
      </p>
      <div className="row end">
        <Button isBusy={send.isRunning} onClick={onClose}>
          Cancel
        </Button>
        <Button
          className="main"
          disabled={isEmpty}
          isBusy={send.isRunning}
          onClick={() => void send.start({})}
        >
          Import
        </Button>
      </div>
    </Dialog>
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
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      <p>{file === undefined ? 'Drop the CSV export of an app here, or' : file.name}</p>
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
