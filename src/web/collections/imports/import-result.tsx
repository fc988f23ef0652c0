import { useState } from 'react'
import { Link } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { count, dateTimeText, plural } from '../../format.ts'
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
  return (
    <section className="panel stack tight" aria-label="Result">
      {state === 'undone' ? (
        <Undone found={found} />
      ) : (
        <>
          <p role="status">
            <strong>
              {count(imported)} of {plural(rows, 'row')}
            </strong>{' '}
            {imported === 1 ? 'is' : 'are'} in “{collection_name}”
            {unowned > 0 && `, and ${count(unowned)} on your wish list`}.
          </p>
          {isUndoable && (
            <p className="small soft">You can undo the import until {dateTimeText(undo_until)}.</p>
          )}
        </>
      )}
      {left > 0 && <FailedRows found={found} />}
      <div className="row">
        <Link className="button main" href={collectionUrl(collection_id)}>
          Open it
        </Link>
        {isUndoable && <Button onClick={() => setUndoing(true)}>Undo import</Button>}
      </div>
      {isUndoing && isUndoable && (
        <UndoDialog found={found} remove={remove} onClose={() => setUndoing(false)} />
      )}
    </section>
  )
}

/** Continues an undo that was interrupted. */
function Undoing({ found, remove }: ImportResultProps) {
  const { removed } = found
  const undo = useAction(async () => void (await remove()))
  return (
    <section className="panel stack tight" aria-label="Result">
      <p role="status">
        <strong>{plural(removed, 'item')}</strong> {removed === 1 ? 'was' : 'were'} removed from{' '}
        {placesText(found)}.
      </p>
      <p>The undo was interrupted, or runs in another tab.</p>
      <FormError error={undo.error} />
      <div className="row">
        <Button className="main" action={undo}>
          Continue undo
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
      <p role="status">
        The import was undone. <strong>{plural(removed, 'item')}</strong>{' '}
        {removed === 1 ? 'was' : 'were'} removed from {placesText(found)}.
      </p>
      {kept.length > 0 && (
        <>
          <p>
            {plural(kept_count, 'item was', 'items were')} changed after the import, and{' '}
            {kept_count === 1 ? 'stays' : 'stay'}:
          </p>
          <ul className="kept-items">
            {kept.map(({ item_id, card_id, name }) => (
              <li key={item_id}>
                <Link href={`/cards/${card_id}`}>{name}</Link>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="small soft">And {plural(more, 'more item')}.</p>}
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
      <p>
        {plural(left, 'row was', 'rows were')} not imported. Until {dateTimeText(expires_at)}, a
        file has them as you sent them, each with its reason.
      </p>
      <div className="row">
        <Button action={save}>Download {plural(left, 'row')}</Button>
      </div>
      <FormError error={save.error} />
    </>
  )
}
