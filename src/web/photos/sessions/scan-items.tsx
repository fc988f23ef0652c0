import { useState } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/photos/scan-session.ts'
import { api } from '../../api.ts'
import { EditItemDialog } from '../../collections/edit-item.tsx'
import {
  COPIES_COLUMN,
  cardColumn,
  type ItemAction,
  ItemActions,
  ItemsTable,
  PRICE_COLUMN,
  VALUE_COLUMN,
} from '../../collections/items-table.tsx'
import { RemoveItemDialog } from '../../collections/remove-item.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { randomUuid } from '../../random-uuid.ts'
import { CardChoices } from './card-choices.tsx'

type ScanItemsProps = {
  session: string
  items: readonly ScanSessionItem[]
  onChanged: (text: string) => void
}

/** Lists the reviewed cards, with their actions. */
export function ScanItems({ session, items, onChanged }: ScanItemsProps) {
  const [editing, setEditing] = useState<ScanSessionItem>()
  const [removing, setRemoving] = useState<ScanSessionItem>()
  const duplicate = useAction(async ({ id: item, name }: ScanSessionItem) => {
    const path = { id: session, item }
    const body = { id: randomUuid() }
    await api.post('/v1/scan-sessions/{id}/items/{item}/duplicate', { path, body })
    onChanged(texts.wasDuplicated(name))
  })
  if (items.length === 0) return <p className="note">{texts.noCardsYetTheyAppear}</p>
  const actions: ItemAction<ScanSessionItem>[] = [
    { label: texts.edit, describe: texts.editCard, onClick: setEditing },
    {
      label: texts.duplicate,
      describe: texts.duplicateCard,
      onClick: (item) => void duplicate.start(item),
    },
    { label: texts.remove, describe: texts.removeCard, onClick: setRemoving },
  ]
  return (
    <>
      {duplicate.error !== undefined && <ErrorMessage error={duplicate.error} />}
      <ItemsTable
        label={texts.listOfCards}
        items={items}
        columns={[
          cardColumn(({ quantity }) =>
            quantity > 1 ? (
              <span className="narrow-only small soft">{texts.copies(count(quantity))}</span>
            ) : null,
          ),
          COPIES_COLUMN,
          PRICE_COLUMN,
          VALUE_COLUMN,
          [texts.actions, (item) => <ItemActions item={item} actions={actions} />, 'number'],
        ]}
      />
      {editing !== undefined && (
        <EditItemDialog
          item={editing}
          kind="scanned"
          save={async (body) => {
            const path = { id: session, item: editing.id }
            const { data } = await api.patch('/v1/scan-sessions/{id}/items/{item}', { path, body })
            setEditing(undefined)
            onChanged(texts.wasSaved(data.name ?? texts.theCard))
          }}
          choices={(choice) => <CardChoices {...choice} item={withoutChosen(editing)} />}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && (
        <RemoveItemDialog
          name={removing.name}
          remove={async () => {
            const { id: item, name, revision } = removing
            const path = { id: session, item }
            await api.delete('/v1/scan-sessions/{id}/items/{item}', { path, query: { revision } })
            setRemoving(undefined)
            onChanged(texts.wasRemoved(name))
          }}
          onClose={() => setRemoving(undefined)}
        >
          {texts.scanThatItUsed}
        </RemoveItemDialog>
      )}
    </>
  )
}

/** Removes the chosen card from the candidates of an item. */
function withoutChosen(item: ScanSessionItem): ScanSessionItem {
  const candidates = item.candidates.filter(({ card_id }) => card_id !== item.card_id)
  return { ...item, candidates }
}
