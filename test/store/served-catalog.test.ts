import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '#store/open-catalog.ts'
import { openServedCatalog } from '#store/served-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Longer than a busy machine takes to read the old version once more. */
const SOON_MS = 500

describe('the catalog of a replica', () => {
  const apps: TestApp[] = []
  afterEach(() => {
    for (const app of apps.splice(0)) app.close()
  })

  /** Creates a catalog of another version, whose only card has another name. */
  async function createCatalog(name: string): Promise<Catalog> {
    const app = await createTestApp()
    apps.push(app)
    app.publish(`UPDATE cards SET name = '${name}' WHERE id = 900002`, '2026-11-23T00:00:00.000Z')
    return app.deps.catalog
  }

  const serve = (first: Catalog, isExpired = false) =>
    openServedCatalog({ open: () => first, path: 'catalog.db', isExpired })

  const readName = ({ cards }: Pick<Catalog, 'cards'>) =>
    JSON.parse(cards.getById(900002) ?? '{}').name

  test('answers from the newest file, also through stores that were looked up before', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver } = serve(old)
    const { cards, search } = catalog
    expect(readName({ cards })).toBe('Old')
    takeOver(next)
    expect(readName({ cards })).toBe('New')
    expect(readName(catalog)).toBe('New')
    expect(search.isInMemory()).toBe(next.search.isInMemory())
  })

  test('answers a request from one file, whatever is taken over before it ends', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, pin } = serve(old)
    const begun = pin(async () => {
      const before = readName(catalog)
      await sleep(20)
      return [before, readName(catalog)]
    })
    takeOver(next)
    expect(pin(() => readName(catalog))).toBe('New')
    expect(await begun).toEqual(['Old', 'Old'])
  })

  test('reports each file that it takes over', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver } = serve(old)
    const names: string[] = []
    catalog.publication.onChange(() => names.push(readName(catalog)))
    takeOver(next)
    expect(names).toEqual(['New'])
  })

  test('never answers from the old file once the moment may have come, nor from the new one before', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, pin } = serve(old)
    const start = performance.now()
    const [from, to] = [start + 60, start + 90]
    takeOver(next, { from, to })
    const seen: [began: number, ended: number, name: string][] = []
    const request = async () => {
      const began = performance.now()
      await pin(() => seen.push([began, performance.now(), readName(catalog)]))
    }
    while (performance.now() < to + 30) {
      await request()
      await sleep(1)
    }
    await request()
    // A busy event loop delays every timer.
    for (const [began, ended, name] of seen) {
      if (began >= from) expect(name).toBe('New')
      if (ended < to) expect(name).toBe('Old')
    }
    expect(seen.at(-1)?.[2]).toBe('New')
  })

  test('answers a request that begins right before the moment, even if the clock runs on', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, pin } = serve(old)
    const from = performance.now() + 60_000
    takeOver(next, { from, to: from + 1 })
    const clock = spyOn(performance, 'now')
    try {
      clock.mockReturnValueOnce(from - 0.001).mockReturnValue(from)
      expect(pin(() => readName(catalog))).toBe('Old')
    } finally {
      clock.mockRestore()
    }
  })

  test('takes over with the first request after the moment, however late its timer is', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, pin } = serve(old)
    const now = performance.now()
    takeOver(next, { from: now + 5, to: now + 10 })
    while (performance.now() < now + 12);
    expect(pin(() => readName(catalog))).toBe('New')
  })

  test('refuses what reads a file that has expired, and nothing else', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, expireAt, pin } = serve(old)
    expireAt(performance.now() + 60_000)
    expect(pin(() => readName(catalog))).toBe('Old')
    expireAt(performance.now())
    expect(() => pin(() => readName(catalog))).toThrow('does not have the current version')
    expect(() => catalog.probe()).toThrow('does not have the current version')
    expect(pin(() => 'no catalog')).toBe('no catalog')
    const now = performance.now()
    takeOver(next, { from: now + SOON_MS, to: now + SOON_MS + 10 })
    expect(() => pin(() => readName(catalog))).toThrow('does not have the current version')
    await sleep(SOON_MS + 20)
    expect(pin(() => readName(catalog))).toBe('New')
  })

  test('refuses a file that has expired before it was taken over, as on a server that was frozen', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, expireAt, pin } = serve(old)
    const now = performance.now()
    takeOver(next, { from: now + 5, to: now + 10 }, now + 20)
    while (performance.now() < now + 25);
    await sleep(1)
    expect(() => pin(() => readName(catalog))).toThrow('does not have the current version')
    expireAt(performance.now() + 60_000)
    expect(pin(() => readName(catalog))).toBe('New')
  })

  test('lets the file that is to be taken over expire, not the one before', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver, expireAt, pin } = serve(old)
    const now = performance.now()
    takeOver(next, { from: now + SOON_MS, to: now + SOON_MS + 10 }, now)
    expireAt(now + 60_000)
    expect(pin(() => readName(catalog))).toBe('Old')
    await sleep(SOON_MS + 20)
    expect(pin(() => readName(catalog))).toBe('New')
  })

  test('is not ready before its first file', async () => {
    const [empty, first] = [await createCatalog('Empty'), await createCatalog('First')]
    const { catalog, takeOver } = serve(empty, true)
    expect(() => catalog.probe()).toThrow('does not have the current version')
    takeOver(first)
    expect(() => catalog.probe()).not.toThrow()
  })
})
