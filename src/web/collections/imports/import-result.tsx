import { useState } from 'react'
import { Link } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { count, dateTimeText } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { fileNameOf, saveFile } from '../../save-file.ts'
import { collectionUrl } from '../queries.ts'
import { placesText } from './import-text.ts'
import { UndoDialog } from './undo-dialog.tsx'

type ImportResultProps = { found: CollectionImport; remove: () => Promise<boolean> }

/** Shows the result of an import, with its undo and the file of the rows that were not imported. */
export function ImportResult({ found, remove }: ImportResultProps) {
  const { state, rows, imported, unowned, collection_id, collection_name, undo_until } = found
  const [isUndoing, setUndoing] = useState(false)
  const left = rows - imported - unowned
  const isUndoable = undo_until !== null && Date.parse(undo_until) > Date.now()
  if (state === 'undoing') return <Undoing found={found} remove={remove} />
  const result = {
    rows: strong(texts.importedOfRows({ imported: count(imported), rows })),
    imported,
    collectionName: collection_name,
  }
  return (
    <section className="panel stack tight" aria-label={texts.result}>
      {state === 'undone' ? (
        <Undone found={found} />
      ) : (
        <>
          <p role="status">
            {unowned === 0
              ? texts.rowsAreIn(result)
              : texts.rowsAreInAndWished({ ...result, wished: count(unowned) })}
          </p>
          {isUndoable && (
            <p className="small soft">{texts.canUndoUntil(dateTimeText(undo_until))}</p>
          )}
        </>
      )}
      {left > 0 && <FailedRows found={found} />}
      <div className="row">
        <Link className="button main" href={collectionUrl(collection_id)}>
          {texts.openIt}
        </Link>
        {isUndoable && <Button onClick={() => setUndoing(true)}>{texts.undoImport}</Button>}
      </div>
      {isUndoing && isUndoable && (
        <UndoDialog found={found} remove={remove} onClose={() => setUndoing(false)} />
      )}
    </section>
  )
}

const strong = (words: string) => <strong>{words}</strong>

/** Continues an undo that was interrupted. */
function Undoing({ found, remove }: ImportResultProps) {
  const { removed } = found
  const undo = useAction(async () => void (await remove()))
  return (
    <section className="panel stack tight" aria-label={texts.result}>
      <p role="status">{texts.itemsRemoved({ removed, places: placesText(found), strong })}</p>
      <p>{texts.undoInterrupted}</p>
      <FormError error={undo.error} />
      <div className="row">
        <Button className="main" action={undo}>
          {texts.continueUndo}
        </Button>
      </div>
    </section>
  )
}

function Undone({ found }: { found: CollectionImport }) {
  const { removed, kept, kept_count } = found
  const more = kept_count - kept.length
  return (
    <>
      <p role="status">{texts.importUndone({ removed, places: placesText(found), strong })}</p>
      {kept.length > 0 && (
        <>
          <p>{texts.itemsStay(kept_count)}</p>
          <ul className="kept-items">
            {kept.map(({ item_id, card_id, name }) => (
              <li key={item_id}>
                <Link href={`/cards/${card_id}`}>{name}</Link>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="small soft">{texts.andMore(more)}</p>}
        </>
      )}
    </>
  )
}

/** Saves the rows that were not imported. They are kept as long as the draft. */
function FailedRows({
  found: { id, rows, imported, unowned, expires_at, collection_name },
}: {
  found: CollectionImport
}) {
  const save = useAction(async () => {
    const path = { id }
    const file = await api.get('/v1/imports/{id}/failed', { path })
    saveFile(`${fileNameOf(collection_name)}-not-imported.csv`, file)
  })
  if (expires_at === null || Date.parse(expires_at) <= Date.now()) return null
  const left = rows - imported - unowned
  return (
    <>
      <p>{texts.rowsNotImported({ left, expiresAt: dateTimeText(expires_at) })}</p>
      <div className="row">
        <Button action={save}>{texts.downloadRows(left)}</Button>
      </div>
      <FormError error={save.error} />
    </>
  )
}
