import { useId, useState } from 'react'
import * as texts from '#texts/collections/add.ts'
import { Field } from '../components/field.tsx'
import { Select } from '../components/select.tsx'
import { randomUuid } from '../random-uuid.ts'
import { createCollectionOnce } from './item-requests.ts'
import { KINDS } from './item-text.ts'

/** A collection or wish list to which cards are added. */
export type TargetCollection = { id: string; name: string; kind: (typeof KINDS)[number][0] }

type TargetSelectProps = {
  options: readonly (readonly [id: string, name: string])[]
  targetId: string
  setTargetId: (id: string) => void
  /** Name of a collection that is created; undefined if an existing one is chosen. */
  newName: string | undefined
  setNewName: (name: string) => void
}

/** Chooses among the collections and wish lists, or a new one of either kind. */
export function useTargets(collections: readonly TargetCollection[]) {
  const created = KINDS.map(
    ([kind, name]): TargetCollection => ({ id: kind, name: freeName(name, collections), kind }),
  )
  const [targetId, setTargetId] = useState(collections[0]?.id ?? 'owned')
  // Stay the same in each attempt, so that a lost answer creates nothing twice.
  const [newIds] = useState(() => new Map(KINDS.map(([kind]) => [kind, randomUuid()])))
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const target = [...collections, ...created].find(({ id }) => id === targetId)
  const isNew = target !== undefined && created.includes(target)
  const nameOf = ({ name, kind }: TargetCollection) =>
    kind === 'wish' ? texts.nameOfWishlist(name) : name
  return {
    target,
    targetId,
    setTargetId,
    newName: isNew ? (typed[targetId] ?? target.name) : undefined,
    setNewName: (name: string) => setTyped({ ...typed, [targetId]: name }),
    options: [
      ...collections.map((one) => [one.id, nameOf(one)] as const),
      ['owned', texts.newCollection] as const,
      ['wish', texts.newWishlist] as const,
    ],
    /** Returns the target. Creates a new one first. */
    async createTarget(): Promise<TargetCollection> {
      if (target !== undefined && !isNew) return target
      const { kind, name } = target ?? { kind: 'owned' as const, name: texts.collection }
      const id = newIds.get(kind) ?? randomUuid()
      return createCollectionOnce({ id, kind, name: typed[targetId]?.trim() || name })
    },
  }
}

/** Returns a name that none of the collections has: "Collection", then "Collection 2". */
function freeName(name: string, collections: readonly TargetCollection[]): string {
  const taken = new Set(collections.map((one) => one.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`
  return free
}

export function TargetSelect(props: TargetSelectProps) {
  const { options, targetId, setTargetId, newName, setNewName } = props
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{texts.to}</label>
        <Select id={id} options={options} value={targetId} onChange={setTargetId} />
      </div>
      {newName !== undefined && (
        <Field
          label={texts.nameOfTheNewOne}
          name="new-name"
          autoComplete="off"
          maxLength={100}
          value={newName}
          onChange={({ target }) => setNewName(target.value)}
        />
      )}
    </>
  )
}
