import { useState } from 'react'
import type { ScanSessionItem } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { amountOrigin } from '../../collections/amounts.ts'
import { explainPrice } from '../../collections/item-text.ts'
import { ItemName } from '../../collections/items-table.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorMessage } from '../../components/error-message.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { PriceText } from '../../pricing/price-text.tsx'
import { randomUuid } from '../../random-uuid.ts'
import { EditScanItem } from './edit-scan-item.tsx'

type ScanItemsProps = {
  session: string
  items: readonly ScanSessionItem[]
  onChanged: (text: string) => void
}

/** Lists the cards that are certain, with what can be done to them. */
export function ScanItems({ session, items, onChanged }: ScanItemsProps) {
  const [editing, setEditing] = useState<ScanSessionItem>()
  const [removing, setRemoving] = useState<ScanSessionItem>()
  const duplicate = useAction(async ({ id: item, name }: ScanSessionItem) => {
    const path = { id: session, item }
    const body = { id: randomUuid() }
    await api.post('/v1/scan-sessions/{id}/items/{item}/duplicate', { path, body })
    onChanged(`${name} was duplicated.`)
  })
  const remove = useAction(async () => {
    if (removing === undefined) return
    const { id: item, name, revision } = removing
    const path = { id: session, item }
    await api.delete('/v1/scan-sessions/{id}/items/{item}', { path, query: { revision } })
    setRemoving(undefined)
    onChanged(`${name} was removed.`)
  })
  if (items.length === 0)
    return <p className="note">No cards yet. They appear as photos are read.</p>
  const columns: Column<ScanSessionItem>[] = [
    ['Card', (item) => <ScanItemName item={item} />],
    ['Copies', ({ quantity }) => count(quantity), 'number wide-only'],
    [
      'Price',
      (item) => <PriceText amount={item.market_price} origin={amountOrigin(item)} />,
      'number wide-only',
    ],
    ['Value', (item) => <ItemValue item={item} />, 'number'],
    [
      'Actions',
      (item) => (
        <div className="item-actions">
          <Action label="Edit" item={item} onClick={() => setEditing(item)} />
          <Action label="Duplicate" item={item} onClick={() => void duplicate.start(item)} />
          <Action label="Remove" item={item} onClick={() => setRemoving(item)} />
        </div>
      ),
      'number',
    ],
  ]
  return (
    <>
      {duplicate.error !== undefined && <ErrorMessage error={duplicate.error} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section className="table-frame items-table" aria-label="List of cards" tabIndex={0}>
        <Table columns={columns} rows={items} keyOf={({ id }) => id} />
      </section>
      {editing !== undefined && (
        <EditScanItem
          session={session}
          item={editing}
          onSaved={(name) => {
            setEditing(undefined)
            onChanged(`${name} was saved.`)
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove"
          action={remove}
          onClose={() => setRemoving(undefined)}
        >
          <p>The scan that it used is not given back. You cannot undo this.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

type ActionProps = { label: string; item: ScanSessionItem; onClick: () => void }

function Action({ label, item, onClick }: ActionProps) {
  return (
    <Button className="small quiet" aria-label={`${label} ${item.name}`} onClick={onClick}>
      {label}
    </Button>
  )
}

function ScanItemName({ item }: { item: ScanSessionItem }) {
  const { card_id, name, set_name, quantity } = item
  // Only items with a card are certain.
  if (card_id === null || name === null || set_name === null) return null
  return (
    <ItemName item={{ ...item, card_id, name, set_name }}>
      {quantity > 1 && <span className="narrow-only small soft">{count(quantity)} copies</span>}
    </ItemName>
  )
}

function ItemValue({ item }: { item: ScanSessionItem }) {
  const note = explainPrice(item.notes)
  return (
    <>
      <strong>
        <PriceText amount={item.value} origin={amountOrigin(item)} />
      </strong>
      {note !== undefined && <span className="small soft line">{note}</span>}
    </>
  )
}
