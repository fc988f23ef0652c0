import { expect, test } from 'bun:test'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openPublicationStore } from '#store/catalog/publication.ts'
import { openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

test('a thread that ends after the files are closed leaves the last publication unchanged', () => {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  const publication = openPublicationStore(db)
  const last = publication.getCurrent()
  db.close()
  publication.refresh()
  expect(publication.getCurrent()).toBe(last)
})
