// The limit of a sync: reads the files of a mirror and writes their prices into a plain table.
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [mirror = '', file = ''] = process.argv.slice(2)
const FIELDS = [
  'marketPrice',
  'lowPrice',
  'midPrice',
  'highPrice',
  'lowestPriceWithShipping',
] as const

type Price = { productId: number; subTypeName: string } & Record<
  (typeof FIELDS)[number],
  number | null
>

const db = new Database(file)
db.run(
  `CREATE TABLE prices (product INTEGER, printing TEXT, ${FIELDS.join(', ')}, PRIMARY KEY (product, printing)) WITHOUT ROWID`,
)
const insert = db.prepare('INSERT INTO prices VALUES (?, ?, ?, ?, ?, ?, ?)')
db.run('BEGIN')
for (const name of readdirSync(mirror, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!name.endsWith('/prices')) continue
  const { results }: { results: Price[] } = JSON.parse(readFileSync(join(mirror, name), 'utf8'))
  for (const price of results) {
    insert.run(price.productId, price.subTypeName, ...FIELDS.map((field) => price[field]))
  }
}
db.run('COMMIT')
db.close()
