import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { addNotes, type NotedSums } from '#rules/collections/summarize.ts'
import { SCAN_SESSIONS_MAX } from '#rules/photos/session-item.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ListKey, ListOf, ListRecord } from '#store/ledger/collections/lists.ts'
import { getList, listNotFound } from '../collections/manage-lists.ts'
import { itemValue, rateItems } from '../collections/value-items.ts'
import { nextTurn } from '../cooperative-loop.ts'

type SessionDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** A scan session with the value of its reviewed items in US cents. */
export type ValuedSession = Omit<ListRecord, 'value' | 'unpriced' | 'notes'> & {
  value: number
  /** Reviewed items without a known price, which the value does not include. */
  unpriced: number
  notes: NotedSums
}

/**
 * Creates a scan session, or returns the existing one with this id.
 *
 * @param id undefined for a new one
 * @param name undefined for the current day
 * @throws ServiceError TOO_MANY_SCAN_SESSIONS, or NOT_FOUND for the id of a deleted session
 */
export async function createScanSession(
  deps: SessionDeps,
  account_id: number,
  { id = randomUUID(), name }: { id?: string | undefined; name?: string | undefined },
): Promise<ValuedSession> {
  const { ledger, now } = deps
  const session = { id, account_id, name: name ?? `Scans of ${formatDate(dayOf(now()))}` }
  const created = await ledger.lists.create({ ...session, kind: 'scan' }, SCAN_SESSIONS_MAX, now())
  if (created === 'taken') throw listNotFound('scan')
  if (created !== 'full') return valueSession(deps, created)
  throw new ServiceError(
    'TOO_MANY_SCAN_SESSIONS',
    `An account can have ${SCAN_SESSIONS_MAX} scan sessions. Delete one first.`,
  )
}

/** @throws ServiceError NOT_FOUND, also for a session of another account */
export function getScanSession(deps: Pick<Deps, 'ledger'>, key: ListKey): Promise<ListOf<'scan'>> {
  return getList(deps, key, ['scan'])
}

/** Values the reviewed items of a session in small steps, so that other requests do not wait for all of them. */
export async function valueSession(deps: SessionDeps, session: ListRecord): Promise<ValuedSession> {
  const copies = await deps.ledger.scanItems.listCopies(session.id)
  const total = { value: 0, unpriced: 0 }
  const notes: NotedSums = {}
  for (let start = 0; start < copies.length; start += COPIES_A_TURN) {
    if (start > 0) await nextTurn()
    for (const priced of rateItems(deps, copies.slice(start, start + COPIES_A_TURN))) {
      const value = itemValue(priced)
      const { items } = priced.item
      if (value === null) total.unpriced += items
      else total.value += value
      addNotes(notes, priced.notes, { items, value: value ?? 0 })
    }
  }
  return { ...session, ...total, notes }
}

/** The prices of this many cards take some milliseconds. */
const COPIES_A_TURN = 200
