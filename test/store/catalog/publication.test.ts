import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openPublicationStore } from '#store/catalog/publication.ts'
import { openDatabase } from '#store/db.ts'
import { settleVersion } from '#store/fleet-catalog.ts'
import { migrate } from '#store/migrate.ts'
import { createTempFolder } from '../../support/closers.ts'

test('a thread that ends after the files are closed leaves the last publication unchanged', () => {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  const publication = openPublicationStore(db)
  const last = publication.getCurrent()
  db.close()
  publication.refresh()
  expect(publication.getCurrent()).toBe(last)
})

test('a version that a fleet gives another time has another tag', () => {
  const path = join(createTempFolder('cardstock-publication-'), 'catalog.db')
  const db = openDatabase(path)
  migrate(db, CATALOG_MIGRATIONS)
  const publication = openPublicationStore(db)
  const { version, tag } = publication.getCurrent()
  settleVersion(path, version, Date.UTC(2026, 10, 27))
  publication.refresh()
  const settled = publication.getCurrent()
  expect(settled).toMatchObject({ version, changed_at: '2026-11-27T00:00:00.000Z' })
  expect(settled.tag).not.toBe(tag)
  db.close()
})
