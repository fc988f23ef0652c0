import { useId, useState } from 'react'
import { api } from '../api.ts'
import { Select } from '../components/select.tsx'
import { KINDS } from './item-text.ts'

/** A collection or wish list to which cards are added. */
export type TargetCollection = { id: string; name: string; kind: (typeof KINDS)[number][0] }

type TargetSelectProps = {
  options: readonly (readonly [id: string, name: string])[]
  targetId: string
  setTargetId: (id: string) => void
}

/** Chooses among the collections and wish lists. If one of these kinds does not exist, it can be created. */
export function useTargets(collections: readonly TargetCollection[]) {
  const created = KINDS.filter(([kind]) => !collections.some((one) => one.kind === kind)).map(
    ([kind, name]): TargetCollection => ({ id: kind, name, kind }),
  )
  const targets = [...collections, ...created]
  const [targetId, setTargetId] = useState(targets[0]?.id ?? 'owned')
  const target = targets.find(({ id }) => id === targetId)
  const nameOf = ({ name, kind }: TargetCollection) =>
    kind === 'wish' ? `${name} (wish list)` : name
  return {
    target,
    targetId,
    setTargetId,
    options: [
      ...collections.map((one) => [one.id, nameOf(one)] as const),
      ...created.map(({ id, name }) => [id, `New ${name.toLowerCase()}`] as const),
    ],
    /** Returns the target. Creates a new one first. */
    async createTarget(): Promise<TargetCollection> {
      if (target !== undefined && !created.includes(target)) return target
      const { name, kind } = target ?? { name: 'Collection', kind: 'owned' }
      return (await api.post('/v1/collections', { body: { name, kind } })).data
    },
  }
}

export function TargetSelect({ options, targetId, setTargetId }: TargetSelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>To</label>
      <Select id={id} options={options} value={targetId} onChange={setTargetId} />
    </div>
  )
}
