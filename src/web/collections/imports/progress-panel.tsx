import { useState } from 'react'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Meter } from '../../components/meter.tsx'
import { count } from '../../format.ts'
import type { AsyncAction } from '../../hooks/use-action.ts'
import { sumTotals } from './import-text.ts'
import { UndoDialog } from './undo-dialog.tsx'

type ProgressPanelProps = {
  found: CollectionImport
  start: AsyncAction<[]>
  remove: () => Promise<boolean>
}

/** Shows how many rows are in the collection, and continues or undoes an import that was interrupted. */
export function ProgressPanel({ found, start, remove }: ProgressPanelProps) {
  const { collection_name } = found
  const imported = found.imported + found.unowned
  const [isUndoing, setUndoing] = useState(false)
  const all = Math.max(sumTotals(found).accepted, imported)
  const text = texts.importedOfRows({ imported: count(imported), rows: all })
  const result = { rows: <strong>{text}</strong>, imported, collectionName: collection_name }
  return (
    <section className="panel stack tight" aria-label={texts.progress}>
      <p role="status">
        {found.unowned === 0 ? texts.rowsAreIn(result) : texts.rowsAreInOrWished(result)}
      </p>
      <Meter label={texts.imported} value={imported} max={all} text={text} />
      <FormError error={start.error} />
      {!start.isRunning && (
        <>
          <p>{texts.importInterrupted}</p>
          <div className="row">
            <Button className="main" action={start}>
              {texts.continueImport}
            </Button>
            <Button onClick={() => setUndoing(true)}>{texts.undoImport}</Button>
          </div>
        </>
      )}
      {isUndoing && <UndoDialog found={found} remove={remove} onClose={() => setUndoing(false)} />}
    </section>
  )
}
