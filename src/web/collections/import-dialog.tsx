import { type DragEvent, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/files.ts'
import { api } from '../api.ts'
import { useGames } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { GameSelect } from '../components/select.tsx'
import { useAction } from '../hooks/use-action.ts'
import { forgetAnswers } from '../query-client.ts'
import { listText } from '../texts/list-text.ts'
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
      title={texts.importTo(collection.name)}
      mayClose={!read.isRunning}
      onClose={() => !read.isRunning && onClose()}
    >
      <OpenImportsHint />
      <FileDrop file={file} onFile={setFile} />
      {file === undefined && <ListField value={list} onChange={setList} />}
      <KnownApps />
      <div className="import-options">
        <GameSelect
          label={texts.gameOfRowsWithoutAGame}
          all={texts.anyGame}
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
        {texts.listsToWishlist}
      </label>
      <p className="small soft">{texts.firstYouSee}</p>
      <FormError error={read.error} />
      <p role="status" className="small soft">
        {read.isRunning && texts.findingCards}
      </p>
      <div className="row end">
        <Button isBusy={read.isRunning} onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button className="main" disabled={isEmpty} action={read}>
          {texts.continueLabel}
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
      {texts.knownApps({
        files: listText(FILE_APPS),
        lists: listText(LIST_APPS),
        link: (text) => (
          <a href="/guides/collection-files" target="_blank" rel="noopener">
            {text}
          </a>
        ),
      })}
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
        aria-label={texts.file}
        accept=".csv,.tsv,.txt,.dek,.cod,.ydk,.json,text/csv,text/plain,application/json"
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      <p>{file === undefined ? texts.dropFile : file.name}</p>
      <Button onClick={() => input.current?.click()}>
        {file === undefined ? texts.chooseFile : texts.chooseAnotherFile}
      </Button>
      {file !== undefined && (
        <Button className="quiet" onClick={() => onFile(undefined)}>
          {texts.removeFile}
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
      <label htmlFor={id}>{texts.orPasteAList}</label>
      <textarea
        id={id}
        className="input list-text"
        rows={4}
        placeholder={texts.listExample}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
