import { useState } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { usePrices } from '../../catalog/queries.ts'
import { changesOf, emptyDraft, type ItemDraft } from '../../collections/item-draft.ts'
import { ItemForm } from '../../collections/item-form.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { DOLLARS } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { CardChoices } from './card-choices.tsx'

type EditScanItemProps = {
  session: string
  item: ScanSessionItem
  /** Called with the name of the card. */
  onSaved: (name: string) => void
  onClose: () => void
}

/** Corrects a scanned card: its printing, copies and condition, or which card it is. */
export function EditScanItem({ session, item, onSaved, onClose }: EditScanItemProps) {
  const { id, card_id, revision } = item
  const before = draftOfScan(item)
  const candidates = item.candidates.filter((candidate) => candidate.card_id !== card_id)
  const [draft, setDraft] = useState(before)
  const [isOther, setOther] = useState(false)
  const prices = usePrices(card_id ?? undefined, DOLLARS)
  const path = { id: session, item: id }
  const save = useAction(async (changes: object) => {
    const body = { ...changes, revision }
    const { data } = await api.patch('/v1/scan-sessions/{id}/items/{item}', { path, body })
    onSaved(data.name ?? 'The card')
  })
  if (isOther) {
    return (
      <Dialog title={`Which card is it instead of ${item.name}?`} onClose={onClose}>
        <FormError error={save.error} />
        <CardChoices
          item={{ ...item, candidates }}
          isBusy={save.isRunning}
          onChoose={(chosen) => void save.start({ card_id: chosen })}
        />
        <div className="row end">
          <Button onClick={() => setOther(false)}>Back</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Edit ${item.name}`} onClose={onClose}>
      <ItemForm
        draft={draft}
        onChange={setDraft}
        printings={prices.data?.map(({ printing }) => printing) ?? []}
        kind="scanned"
        onSubmit={() => void save.start(changesOf(draft, before))}
        above={<FormError error={save.error} />}
      >
        <Button onClick={() => setOther(true)}>Another card</Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" className="main" isBusy={save.isRunning}>
          Save
        </Button>
      </ItemForm>
    </Dialog>
  )
}

function draftOfScan({
  printing,
  condition,
  grade,
  language,
  quantity,
}: ScanSessionItem): ItemDraft {
  return {
    ...emptyDraft(),
    ...{ printing: printing ?? '', condition, grade: grade ?? '', language: language ?? '' },
    quantity: String(quantity),
  }
}
