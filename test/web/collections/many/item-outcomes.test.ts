import { expect, test } from 'bun:test'
import { itemsRestored } from '#texts/collections/many.ts'
import { ApiError } from '../../../../src/client/client.ts'
import type { ItemOutcome } from '../../../../src/client/endpoints.ts'
import {
  describeOutcomes,
  removePart,
  sendParts,
} from '../../../../src/web/collections/many/item-outcomes.ts'
import { repeated } from '../../../../src/web/collections/repeated.ts'

const outcome = (id: string, kind: ItemOutcome['outcome']): ItemOutcome => ({
  id,
  outcome: kind,
  item: null,
})
const lost = () => Promise.reject(new ApiError('NETWORK', 'No answer.'))
const ids = Array.from({ length: 250 }, (_, at) => `item_${at}`)

test('parts that were changed before an error are known, and later ones are not sent', async () => {
  const sent: number[] = []
  const { outcomes, error } = await sendParts(ids, async (part) => {
    sent.push(part.length)
    if (sent.length === 2) return lost()
    return part.map((id) => outcome(id, 'changed'))
  })
  expect(sent).toEqual([100, 100])
  expect(outcomes.map(({ id }) => id)).toEqual(ids.slice(0, 100))
  expect(error?.code).toBe('NETWORK')
})

test('items whose removal was sent without an answer are removed if they are missing then', async () => {
  const unanswered = new Set<string>()
  const stored = new Set(['a', 'b'])
  let lostAnswers = 1
  const remove = (wanted: string[]) =>
    removePart(
      wanted,
      async () => {
        const outcomes = wanted.map((id) => outcome(id, stored.delete(id) ? 'changed' : 'missing'))
        return lostAnswers-- > 0 ? lost() : outcomes
      },
      unanswered,
    )
  const repeatedly = await repeated(() => remove(['a']), 1)
  expect(repeatedly).toEqual([outcome('a', 'changed')])
  expect(unanswered.size).toBe(0)
  lostAnswers = 1
  await expect(remove(['b'])).rejects.toThrow('No answer.')
  expect(await remove(['b', 'c'])).toEqual([outcome('b', 'changed'), outcome('c', 'missing')])
  expect(await remove(['b'])).toEqual([outcome('b', 'missing')])
})

test('what stays as it is, is counted with its reason', () => {
  expect(describeOutcomes(itemsRestored, [outcome('a', 'changed')])).toBe('1 item is restored.')
  expect(describeOutcomes(itemsRestored, [outcome('a', 'conflict'), outcome('b', 'missing')])).toBe(
    '0 items are restored. Left as they are: 1 changed elsewhere, 1 no longer here.',
  )
})
