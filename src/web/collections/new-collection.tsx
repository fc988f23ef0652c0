import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { NameDialog } from '../components/name-dialog.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { forgetAnswers } from '../query-client.ts'
import { KINDS } from './item-text.ts'
import { collectionUrl } from './queries.ts'

/** Creates a collection or a wish list, and opens it. */
export function NewCollectionDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('owned')
  const create = async (name: string) => {
    const { data } = await api.post('/v1/collections', { body: { name, kind } })
    forgetAnswers()
    go(collectionUrl(data.id))
  }
  return (
    <NameDialog title="New collection" submitLabel="Create" save={create} onClose={onClose}>
      <SegmentedControl label="Kind" options={KINDS} value={kind} onChange={setKind} />
    </NameDialog>
  )
}
