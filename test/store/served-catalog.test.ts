import { afterEach, describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '#store/index.ts'
import { openServedCatalog } from '#store/served-catalog.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

describe('the catalog of a replica', () => {
  const apps: TestApp[] = []
  afterEach(() => {
    for (const app of apps.splice(0)) app.close()
  })

  /** A catalog of another version, whose one card has another name. */
  async function createCatalog(name: string): Promise<Catalog> {
    const app = await createTestApp()
    apps.push(app)
    app.publish(`UPDATE cards SET name = '${name}' WHERE id = 900002`, '2026-11-23T00:00:00.000Z')
    return app.deps.catalog
  }

  const serve = (first: Catalog, isEmpty = false) =>
    openServedCatalog({ open: () => first, path: 'catalog.db', isEmpty })

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

  test('tells of each file that it takes over', async () => {
    const [old, next] = [await createCatalog('Old'), await createCatalog('New')]
    const { catalog, takeOver } = serve(old)
    const names: string[] = []
    catalog.publication.onChange(() => names.push(readName(catalog)))
    takeOver(next)
    expect(names).toEqual(['New'])
  })

  test('is not ready before its first file', async () => {
    const [empty, first] = [await createCatalog('Empty'), await createCatalog('First')]
    const { catalog, takeOver } = serve(empty, true)
    expect(() => catalog.probe()).toThrow('The first snapshot of the catalog is not here yet.')
    takeOver(first)
    expect(() => catalog.probe()).not.toThrow()
  })
})
