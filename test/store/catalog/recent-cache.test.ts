import { describe, expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openPublicationStore } from '#store/catalog/publication.ts'
import { createRecentCache, createRecentLists } from '#store/catalog/recent-cache.ts'
import { openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

/** Creates a catalog of one card that counts its reads. */
function createWorld() {
  let publish = () => {}
  const world = { text: 'first', reads: 0, onRead: () => {}, publish: () => publish() }
  const publication = {
    onChange(listener: () => void) {
      publish = listener
    },
  }
  const get = createRecentCache(publication, (cardId) => {
    world.reads++
    const text = cardId === 1 ? world.text : undefined
    world.onRead()
    return text
  })
  return Object.assign(world, { get })
}

describe('recently requested values of a card', () => {
  test('is read once until the next publication', () => {
    const world = createWorld()
    expect([world.get(1), world.get(1)]).toEqual(['first', 'first'])
    expect(world.reads).toBe(1)
    world.text = 'second'
    world.publish()
    expect(world.get(1)).toBe('second')
  })

  test('is not kept if reading it notices a publication', () => {
    const world = createWorld()
    world.onRead = () => {
      world.onRead = () => {}
      world.text = 'second'
      world.publish()
    }
    expect(world.get(1)).toBe('first')
    expect(world.get(1)).toBe('second')
  })

  test('is not kept for a card that does not exist', () => {
    const world = createWorld()
    expect([world.get(2), world.get(2)]).toEqual([undefined, undefined])
    expect(world.reads).toBe(2)
  })
})

/** Creates a file with lists of cards 1 to 3, the version that each was read from, and the reads. */
function createLists() {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-recent-'))
  const file = join(folder, 'catalog.db')
  const writer = openDatabase(file)
  migrate(writer, CATALOG_MIGRATIONS)
  const db = openDatabase(file, { readonly: true })
  const version = db.prepare<[], number>('SELECT version FROM publication').pluck()
  const reads: number[][] = []
  const list = createRecentLists(db, openPublicationStore(db), (ids) => {
    reads.push([...ids])
    return ids.filter((id) => id <= 3).map((id) => ({ id, version: version.get() }))
  })
  const publish = () => writer.exec('UPDATE publication SET version = version + 1')
  onTestFinished(() => {
    db.close()
    writer.close()
    rmSync(folder, { recursive: true })
  })
  return { list, reads, publish }
}

describe('cards of lists', () => {
  test('are read once each, and listed in the requested order', () => {
    const { list, reads } = createLists()
    expect(list([2, 1]).map(({ id }) => id)).toEqual([2, 1])
    expect(list([3, 1, 9, 2]).map(({ id }) => id)).toEqual([3, 1, 2])
    expect(reads).toEqual([
      [2, 1],
      [3, 9],
    ])
  })

  test('are all of the version that another process has just published', () => {
    const { list, publish } = createLists()
    const [before] = list([1, 2])
    publish()
    const after = list([1, 2, 3]).map(({ version }) => version)
    expect(new Set(after)).toEqual(new Set([(before?.version ?? 0) + 1]))
    expect(after).toHaveLength(3)
  })
})
