import { randomBytes, randomUUID } from 'node:crypto'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { describeOrigin } from '#rules/accounts/session-origin.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { SESSION_ITEMS_MAX } from '#rules/photos/session-item.ts'
import { openDatabase } from '#store/db.ts'
import type { ItemCard } from '#store/ledger/collections/list-items.ts'
import { openLedger } from '#store/open-ledger.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import type { BenchData } from './data.ts'

/** An account of the highest tier with as much as its limits allow, and its credentials. */
export type LargeAccount = {
  key: string
  session: string
  /** The largest collection, and one without items. */
  collection: string
  other: string
  token: string
  scanSession: string
  /** Id of an item of the collection. */
  item: string
}

const ITEMS = 250_000
const COLLECTIONS = 100
const SESSIONS = 100
const BATCH = 1_000

/** Creates the account in the ledger of the data folder. */
export async function createLargeAccount({
  dataDir,
  catalogFile,
}: BenchData): Promise<LargeAccount> {
  const cards = readCards(catalogFile)
  const chance = createSeededRandom(1, ITEMS)
  const ledger = openLedger(dataDir)
  const now = () => new Date()
  const deps = { ledger, now }
  try {
    const email = `${randomUUID()}@bench.example`
    const context = { now: now(), address: undefined }
    const credentials = { email, password_hash: 'none', tier: 'business' } as const
    const account = await ledger.accounts.create(credentials, context)
    if (account === undefined) throw new Error('the account already exists')
    const account_id = account.id
    const { key } = await createKey(deps, { account_id, address: undefined, name: 'bench' })
    const session = generateSessionToken((bytes) => randomBytes(bytes))
    await ledger.sessions.create({
      account_id,
      password_hash: credentials.password_hash,
      token_hash: hashSecret(session),
      replaces: undefined,
      now: now(),
      address: '127.0.0.1',
      place: new Uint8Array(32),
      origin: describeOrigin('127.0.0.1', ''),
    })
    const createList = async (kind: 'owned' | 'scan', at: number, max: number) => {
      const id = `${kind === 'scan' ? 'ses' : 'col'}_${randomUUID().replaceAll('-', '')}`
      await ledger.lists.create({ id, account_id, kind, name: `List ${at}` }, max, now())
      return id
    }
    let made = 0
    const fill = async (list: string, count: number) => {
      for (let start = 0; start < count; start += BATCH) {
        const items = Array.from({ length: Math.min(BATCH, count - start) }, () => ({
          ...UNKNOWN_HOLDING,
          ...chance.pick(cards),
          id: `item_${String(made++).padStart(9, '0')}`,
          printing: 'Normal',
          quantity: 1 + chance.below(4),
          price_paid: chance.below(5_000),
          acquired_on: 20_000 + chance.below(500),
          note: 'x'.repeat(200),
        }))
        await ledger.listItems.add(list, items, count, now())
      }
    }
    const [collection = '', other = ''] = await createLists(COLLECTIONS, (at) =>
      createList('owned', at, 100),
    )
    const [scanSession = ''] = await createLists(SESSIONS, (at) => createList('scan', at, 100))
    await fill(collection, ITEMS)
    await fill(scanSession, SESSION_ITEMS_MAX)
    const token = randomUUID()
    const link = { token_hash: hashSecret(token), sealed_token: randomBytes(50) }
    await ledger.collectionShares.create({ id: collection, account_id }, link, now())
    return { key, session, collection, other, token, scanSession, item: 'item_000000000' }
  } finally {
    await ledger.close()
  }
}

async function createLists(count: number, create: (at: number) => Promise<string>) {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await create(at))
  return ids
}

function readCards(catalogFile: string) {
  const db = openDatabase(catalogFile, { readonly: true })
  const cards = db
    .prepare<[], ItemCard>(
      `SELECT cards.id AS card_id, cards.name, number, games.slug AS game, set_id, sets.name AS set_name
         FROM cards JOIN sets ON sets.id = set_id JOIN games ON games.id = cards.game_id
        ORDER BY cards.id LIMIT 100000`,
    )
    .all()
  db.close()
  return cards
}
