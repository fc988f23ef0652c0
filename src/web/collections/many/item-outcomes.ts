import type { ItemOutcome } from '#client/endpoints.ts'
import * as texts from '#texts/collections/many.ts'
import type { ApiError } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { listText } from '../../texts/list-text.ts'

/** Outcomes of a change of many items. If it ended early, they are those of the parts before its error. */
export type ItemsChanged = { outcomes: ItemOutcome[]; error: ApiError | undefined }

/** Number of items in a request. */
const PART = 100

/** Sends items part by part. Stops at the first error, and keeps the outcomes of the parts before it. */
export async function sendParts<Item>(
  items: readonly Item[],
  send: (part: Item[]) => Promise<readonly ItemOutcome[]>,
): Promise<ItemsChanged> {
  const outcomes: ItemOutcome[] = []
  for (let start = 0; start < items.length; start += PART) {
    try {
      outcomes.push(...(await send(items.slice(start, start + PART))))
    } catch (cause) {
      return { outcomes, error: toApiError(cause) }
    }
  }
  return { outcomes, error: undefined }
}

/**
 * Removes a part of some items. Items of an earlier request without an answer that are missing now were removed by it.
 *
 * @param unanswered ids of items whose removal was sent and failed; kept up to date
 */
export async function removePart(
  ids: readonly string[],
  send: () => Promise<readonly ItemOutcome[]>,
  unanswered: Set<string>,
): Promise<ItemOutcome[]> {
  const earlier = new Set(ids.filter((id) => unanswered.has(id)))
  for (const id of ids) unanswered.add(id)
  const outcomes = await send()
  for (const id of ids) unanswered.delete(id)
  return outcomes.map((one) =>
    one.outcome === 'missing' && earlier.has(one.id) ? { ...one, outcome: 'changed' } : one,
  )
}

export function isChanged({ outcome }: ItemOutcome): boolean {
  return outcome === 'changed'
}

/** Says how many items were changed, by the text of the change, and why others were not. */
export function describeOutcomes(
  say: (items: number) => string,
  outcomes: readonly ItemOutcome[],
): string {
  const count = (wanted: ItemOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const done = count('changed')
  const left = [
    [count('conflict'), texts.changedElsewhere],
    [count('missing'), texts.noLongerHere],
    [count('refused'), texts.withoutThisCard],
  ] as const
  const others = left.flatMap(([number, text]) => (number > 0 ? text(String(number)) : []))
  const text = say(done)
  return others.length === 0 ? text : texts.leftAsTheyAre({ changed: text, left: listText(others) })
}
