import { useState } from 'react'
import type { CollectionImport } from '#client/endpoints.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Meter } from '../../components/meter.tsx'
import { count, plural } from '../../format.ts'
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
  const text = `${count(imported)} of ${plural(all, 'row')}`
  return (
    <section className="panel stack tight" aria-label="Progress">
      <p role="status">
        <strong>{text}</strong> are in “{collection_name}”
        {found.unowned > 0 && ' or on your wish list'}.
      </p>
      <Meter label="Imported" value={imported} max={all} text={text} />
      <FormError error={start.error} />
      {!start.isRunning && (
        <>
          <p>
            The import was interrupted, or runs in another tab. Continue it here: nothing is added
            twice.
          </p>
          <div className="row">
            <Button className="main" action={start}>
              Continue import
            </Button>
            <Button onClick={() => setUndoing(true)}>Undo import</Button>
          </div>
        </>
      )}
      {isUndoing && <UndoDialog found={found} remove={remove} onClose={() => setUndoing(false)} />}
    </section>
  )
}
