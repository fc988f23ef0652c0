import { normalizeName } from '#rules/catalog/trigrams.ts'
import { openDatabase } from '#store/db.ts'
import { createSeededRandom, type SeededRandom } from '../scripts/tools/seed/random.ts'

/** Changes a name as people do when they type it; undefined if the name is too short for the change. */
export type NameSpelling = (name: string, seededRandom: SeededRandom) => string | undefined

/** Exact names, names with one letter dropped or doubled, and parts from the middle of names. */
export const NAME_SPELLINGS = {
  exact: (name) => name,
  misspelt(name, seededRandom) {
    if (name.length < 6) return undefined
    const at = seededRandom.below(name.length)
    const kept = seededRandom.happens(0.5) ? '' : (name[at] ?? '').repeat(2)
    return name.slice(0, at) + kept + name.slice(at + 1)
  },
  substring(name, random) {
    const length = Math.max(4, Math.floor(name.length / 2))
    if (name.length <= length + 1) return undefined
    const start = 1 + random.below(name.length - length)
    return name.slice(start, start + length)
  },
} satisfies Record<string, NameSpelling>

/** Creates a request for the prices of these cards. */
export function pricesRequest(ids: readonly number[], key: string): Request {
  return new Request(`${ORIGIN}/v1/bulk/prices?ids=${ids}`, { headers: { 'x-api-key': key } })
}

/** Creates a request that resolves these marketplace ids. */
export function idsRequest(ids: readonly number[], key: string): Request {
  return post('/v1/bulk/resolve/marketplace', { ids }, key)
}

/** Creates a request that resolves these names. */
export function namesRequest(names: readonly string[], key: string): Request {
  return post('/v1/bulk/resolve/name', { items: names.map((name) => ({ name })) }, key)
}

function post(path: string, body: object, key: string): Request {
  return new Request(ORIGIN + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

const ORIGIN = 'http://127.0.0.1'

/** Draws names from the whole catalog and applies a spelling to each; the same names on every run. */
export function createNameSampler({ catalogFile }: { catalogFile: string }) {
  const db = openDatabase(catalogFile, { readonly: true })
  const names = db.prepare<[], string>('SELECT name FROM cards ORDER BY id').pluck().all()
  db.close()
  const bare = [...new Set(names.map(normalizeName))]
  return {
    /** Each normalized name of the catalog, once. */
    bare,
    draw(count: number, seed: number, nameSpelling: NameSpelling): string[] {
      const seededRandom = createSeededRandom(count, seed)
      const drawn = new Set<string>()
      while (drawn.size < count) {
        const written = nameSpelling(seededRandom.pick(names), seededRandom)
        if (written !== undefined) drawn.add(written)
      }
      return [...drawn]
    },
  }
}

/** Splits a list into chunks of equal length, and drops the rest. */
export function chunk<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.floor(list.length / length) }, (_, at) =>
    list.slice(at * length, (at + 1) * length),
  )
}
