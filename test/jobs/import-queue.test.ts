// How imports wait for the thread.

import { expect, test } from 'bun:test'
import { createImportQueue } from '#jobs/import-worker.ts'
import type { FileImportOutcome } from '#rules/collections/file-import.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
import type { UploadedImport } from '#store/memory/sync-trigger.ts'

const never = new AbortController().signal
const REPORT = { report: { full: null } }

/** Opens a queue whose imports end by name, or with their signal. */
function open() {
  const started: string[] = []
  const ends = new Map<string, (outcome?: FileImportOutcome) => void>()
  const queue = createImportQueue(async ({ collection_id }, signal) => {
    started.push(collection_id)
    const { promise, resolve } = Promise.withResolvers<FileImportOutcome | undefined>()
    ends.set(collection_id, resolve)
    signal.addEventListener('abort', () => resolve(undefined))
    return promise
  })
  const send = (collection_id: string, account_id: number, network = 'home', signal = never) =>
    queue.run(importOf({ collection_id, account_id, network }), signal)
  const end = async (name: string) => {
    ends.get(name)?.(REPORT)
    await Bun.sleep(0)
  }
  return { queue, started, send, end }
}

function importOf(
  own: Pick<UploadedImport, 'collection_id' | 'account_id' | 'network'>,
): UploadedImport {
  const file = { length: 0, subarray: () => new Uint8Array(), descriptor: -1, close() {} }
  return {
    ...own,
    tier: 'free',
    is_unlimited: false,
    file,
    file_name: undefined,
    game: undefined,
    prefer: 'regular' as const,
    again: false,
    accept: ACCEPTED_BY_DEFAULT,
    is_draft: false,
  }
}

test('an account has one import that runs and one that waits; a third is refused', async () => {
  const { queue, started, send, end } = open()
  const running = send('a1', 1)
  queue.assertRoom(1)
  const waiting = send('a2', 1)
  expect(() => queue.assertRoom(1)).toThrow('One of your imports is running')
  await expect(send('a3', 1)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', retryAfter: 5 })
  // Others are not affected.
  queue.assertRoom(2)
  const other = send('b1', 2)
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
  queue.assertRoom(1)
  for (const name of ['a2', 'b1']) await end(name)
  expect(await Promise.all([running, waiting, other])).toEqual([REPORT, REPORT, REPORT])
})

test('an import whose sender has gone leaves its place, also while it waits', async () => {
  const { queue, started, send, end } = open()
  const [first, second] = [new AbortController(), new AbortController()]
  const running = send('a1', 1, 'home', first.signal)
  const waiting = send('a2', 1, 'home', second.signal)
  second.abort()
  expect(await waiting).toBeUndefined()
  queue.assertRoom(1)
  const next = send('a3', 1)
  first.abort()
  expect(await running).toBeUndefined()
  await Bun.sleep(0)
  expect(started).toEqual(['a1', 'a3'])
  await end('a3')
  expect(await next).toEqual(REPORT)
})

test('no more than 64 imports run at once, and networks take turns', async () => {
  const { started, send, end } = open()
  const farm = Array.from({ length: 80 }, (_, index) => send(`farm ${index}`, index, 'farm'))
  const bystander = send('bystander', 1_000, 'home')
  expect(started).toHaveLength(64)
  await end('farm 0')
  await end('farm 1')
  expect(started.slice(64).toSorted()).toEqual(['bystander', 'farm 64'])
  await end('bystander')
  expect(await bystander).toEqual(REPORT)
  for (let index = 2; index < 80; index++) await end(`farm ${index}`)
  expect(await Promise.all(farm)).toHaveLength(80)
})

test('when the server stops, running and waiting imports are interrupted, and no other begins', async () => {
  const { queue, started, send } = open()
  const all = [send('a1', 1), send('a2', 1), send('b1', 2)]
  queue.close()
  expect(await Promise.all(all)).toEqual([undefined, undefined, undefined])
  expect(await send('c1', 3)).toBeUndefined()
  expect(started).toEqual(['a1', 'b1'])
})
