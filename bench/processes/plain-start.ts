// The limit of a start: reads the names of all cards and counts the cards of each word.
import { Database } from 'bun:sqlite'

const [file = ''] = process.argv.slice(2)
const db = new Database(file, { readonly: true })
const cards = new Map<string, number>()
for (const [name] of db.query('SELECT name FROM cards').values()) {
  for (const word of String(name).toLowerCase().split(/\W+/)) {
    cards.set(word, (cards.get(word) ?? 0) + 1)
  }
}
db.close()
