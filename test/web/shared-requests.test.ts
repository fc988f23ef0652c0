import { expect, test } from 'bun:test'
import { createSharedRequests } from '../../src/web/hooks/shared-requests.ts'

/** A fetcher that counts its requests, and answers when the test says so. */
function createFetcher() {
  const started: { signal: AbortSignal; answer(value: string): void; fail(error: Error): void }[] =
    []
  return {
    started,
    fetch(signal: AbortSignal): Promise<string> {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      started.push({ signal, answer: resolve, fail: reject })
      signal.addEventListener('abort', () => reject(signal.reason))
      return promise
    },
  }
}

const view = () => new AbortController()

test('two views of one key share a request, and another key has its own', async () => {
  const { started, fetch } = createFetcher()
  const requests = createSharedRequests()
  const answers = [
    requests.join('prices of 1', fetch, view().signal),
    requests.join('prices of 1', fetch, view().signal),
    requests.join('prices of 2', fetch, view().signal),
  ]
  expect(started.length).toBe(2)
  started[0]?.answer('one')
  started[1]?.answer('two')
  expect(await Promise.all(answers)).toEqual(['one', 'one', 'two'])
})

test('a view that comes after the answer starts a new request', async () => {
  const { started, fetch } = createFetcher()
  const requests = createSharedRequests()
  const first = requests.join('card 1', fetch, view().signal)
  started[0]?.answer('one')
  await first
  void requests.join('card 1', fetch, view().signal)
  expect(started.length).toBe(2)
})

test('a failure reaches every view, and the next one tries again', async () => {
  const { started, fetch } = createFetcher()
  const requests = createSharedRequests()
  const both = [1, 2].map(() => requests.join('card 1', fetch, view().signal))
  started[0]?.fail(new Error('no network'))
  for (const answer of both) expect(answer).rejects.toThrow('no network')
  await Promise.allSettled(both)
  void requests.join('card 1', fetch, view().signal)
  expect(started.length).toBe(2)
})

test('the request continues while a view wants it, and is aborted when the last one leaves', async () => {
  const { started, fetch } = createFetcher()
  const requests = createSharedRequests()
  const [first, second, third] = [view(), view(), view()]
  const left = requests.join('card 1', fetch, first.signal)
  void requests.join('card 1', fetch, second.signal).catch(() => {})
  first.abort()
  expect(started[0]?.signal.aborted).toBe(false)
  second.abort()
  expect(started[0]?.signal.aborted).toBe(true)
  expect(left).rejects.toThrow()
  // The next view does not join what was aborted.
  const last = requests.join('card 1', fetch, third.signal)
  expect(started.length).toBe(2)
  started[1]?.answer('again')
  expect(await last).toBe('again')
})

test('after a login, no view joins a request of before', async () => {
  const { started, fetch } = createFetcher()
  const requests = createSharedRequests()
  const before = requests.join('usage', fetch, view().signal)
  requests.clear()
  const after = requests.join('usage', fetch, view().signal)
  expect(started.length).toBe(2)
  started[0]?.answer('visitor')
  started[1]?.answer('account')
  expect(await Promise.all([before, after])).toEqual(['visitor', 'account'])
})
