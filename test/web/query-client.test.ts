import { afterEach, beforeAll, expect, test } from 'bun:test'
import { QueryObserver } from '@tanstack/react-query'
import type * as Queries from '../../src/web/query-client.ts'

let queries: typeof Queries
beforeAll(async () => {
  // Read while the modules are loaded. Other tests must not mistake this runtime for a browser.
  const page = { location: new URL('http://localhost/'), document: { querySelector: () => null } }
  Object.assign(globalThis, page)
  queries = await import('../../src/web/query-client.ts')
  for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
})
afterEach(() => queries.queryClient.clear())

/** Creates a fetcher that counts its requests, and responds when the test says so. */
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

/** Creates a view that requests an answer, like a component. */
function openView(key: string, fetch: (signal: AbortSignal) => Promise<string>) {
  const options = queries.defineQuery(['/v1/meta', key], fetch)
  const observer = new QueryObserver(queries.queryClient, options)
  const leave = observer.subscribe(() => {})
  return {
    leave,
    get result() {
      return observer.getCurrentResult()
    },
  }
}

const settled = () => Bun.sleep(0)

test('two views of one key share a request, and another key has its own', async () => {
  const { started, fetch } = createFetcher()
  const views = [openView('1', fetch), openView('1', fetch), openView('2', fetch)]
  expect(started.length).toBe(2)
  started[0]?.answer('one')
  started[1]?.answer('two')
  await settled()
  expect(views.map(({ result }) => result.data)).toEqual(['one', 'one', 'two'])
})

test('a view that opens within a minute shows the answer without a request', async () => {
  const { started, fetch } = createFetcher()
  openView('1', fetch).leave()
  expect(started[0]?.signal.aborted).toBe(true)
  const first = openView('1', fetch)
  started[1]?.answer('one')
  await settled()
  first.leave()
  expect(openView('1', fetch).result.data).toBe('one')
  expect(started.length).toBe(2)
})

test('a failure reaches every view as an error of the API, and the next view tries again', async () => {
  const { started, fetch } = createFetcher()
  const both = [openView('1', fetch), openView('1', fetch)]
  started[0]?.fail(new Error('no network'))
  await settled()
  expect(both.map(({ result }) => result.error?.code)).toEqual(['PAGE', 'PAGE'])
  openView('1', fetch)
  expect(started.length).toBe(2)
})

test('the request continues while a view wants it, and is aborted when the last one leaves', () => {
  const { started, fetch } = createFetcher()
  const [first, second] = [openView('1', fetch), openView('1', fetch)]
  first.leave()
  expect(started[0]?.signal.aborted).toBe(false)
  second.leave()
  expect(started[0]?.signal.aborted).toBe(true)
  // The next view does not join an aborted request.
  openView('1', fetch)
  expect(started.length).toBe(2)
})

test('after a login, no other view shows an answer from before it', async () => {
  const { started, fetch } = createFetcher()
  const left = openView('1', fetch)
  const shown = openView('2', fetch)
  started[0]?.answer('visitor')
  started[1]?.answer('visitor')
  await settled()
  left.leave()
  queries.forgetAnswers()
  expect(shown.result.data).toBe('visitor')
  shown.leave()
  const after = [openView('1', fetch), openView('2', fetch)]
  expect(after.map(({ result }) => result.data)).toEqual([undefined, undefined])
  expect(started.length).toBe(4)
})

test('a view for another account shows no answer, and joins no request, of a view that is still there', async () => {
  const { started, fetch } = createFetcher()
  const [shown, loading] = [openView('1', fetch), openView('2', fetch)]
  started[0]?.answer('Ada')
  await settled()
  queries.forgetAnswers()
  queries.separateAnswers()
  const after = [openView('1', fetch), openView('2', fetch)]
  shown.leave()
  loading.leave()
  expect(after.map(({ result }) => result.data)).toEqual([undefined, undefined])
  started[2]?.answer('Ben')
  await settled()
  expect([started.length, after[0]?.result.data]).toEqual([4, 'Ben'])
})

test('a request that began before a change is aborted and sent again', async () => {
  const { started, fetch } = createFetcher()
  const view = openView('1', fetch)
  queries.refetchAfterChange('/v1/meta')
  expect([started.length, started[0]?.signal.aborted]).toEqual([2, true])
  started[1]?.answer('after')
  await settled()
  expect(view.result.data).toBe('after')
})

test('the session is not forgotten with the answers', () => {
  queries.queryClient.setQueryData(['session'], 'somebody')
  queries.forgetAnswers()
  expect(queries.queryClient.getQueryState(['session'])).toMatchObject({
    data: 'somebody',
    isInvalidated: false,
  })
})

test('after a change, what is shown of its path is fetched again; its data stays until then', async () => {
  const { started, fetch } = createFetcher()
  const view = openView('1', fetch)
  started[0]?.answer('before')
  await settled()
  queries.refetchAfterChange('/v1/keys')
  expect(started.length).toBe(1)
  queries.refetchAfterChange('/v1/meta')
  expect([started.length, view.result.data]).toEqual([2, 'before'])
  started[1]?.answer('after')
  await settled()
  expect(view.result.data).toBe('after')
})

test('all pages of a list are fetched in their order, and no more at once than asked for', async () => {
  for (const [atOnce, most] of [
    [1, 1],
    [3, 3],
    [100, 9],
  ] as const) {
    let running = 0
    let peak = 0
    const answer = await queries.fetchAllPages(async ({ page, per_page }) => {
      peak = Math.max(peak, ++running)
      await settled()
      running--
      return { data: [page], meta: { total: 950, per_page } }
    }, atOnce)
    expect([peak, answer.data]).toEqual([most, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
  }
})
