import { readFileSync } from 'node:fs'
import {
  createServiceAccounts,
  type ServiceAccount,
} from '../../support/accounts/service-accounts.ts'
import { samplePhotoPath } from '../../support/photos/photo-fixtures.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { generatePagePhotos } from './page-photos.ts'
import { generatePoisonPhotos, type PoisonPhoto } from './poison-photos.ts'

export const PASSWORD = 'the password of the owner'
/** Address of the owner, which the owner shares with others. */
export const OWNER_HOME = '192.0.2.10'
const HELD_ACCOUNTS = 10
const PHOTO_CUSTOMERS = 2
const PRICE_CUSTOMERS = 8
const PAGE_ACCOUNTS = 6
/** Items that one request may add to a collection. */
const ITEMS_MAX = 100

/** Size of a run. */
export type AbuseOptions = {
  calmSeconds: number
  /** Seconds in which only uploads are held, before the other attackers begin. */
  heldSeconds: number
  abuseSeconds: number
  heldUploads: number
  poisonLoops: number
  /** Adds poison photos of 63 megapixels. */
  withHugePhotos: boolean
  networks: number
  /** Cards that an honest visitor opens. */
  cardsPerVisit: number
  /** Accounts at one address that import, each several files at once. */
  importers: number
  /** Connections that try to set passwords by mailed links. */
  resetters: number
  /** Strangers that read a shared list, and its items. */
  listReaders: number
  sharedItems: number
  /**
   * Requests per second of all scrapers, of all guessers, of those at the owner's address, and for prices with a key.
   */
  rates: { scrapers: number; guessers: number; neighbors: number; prices: number }
  env?: Record<string, string>
}

export type AbuseWorld = {
  service: ServerProcess
  cards: number[]
  owner: ServiceAccount
  poisoner: ServiceAccount
  photoCustomers: ServiceAccount[]
  priceCustomers: ServiceAccount[]
  holders: ServiceAccount[]
  importers: Importer[]
  /** Accounts that send pages. */
  pageSenders: ServiceAccount[]
  /** Token of the link of a large list. */
  sharedList: string
  poison: PoisonPhoto[]
  /** A page of cards that the catalog lacks, and a page without a card. */
  pages: Uint8Array<ArrayBuffer>[]
  photo: Uint8Array<ArrayBuffer>
}

/** An account that imports into one of its collections. */
export type Importer = { account: ServiceAccount; collection: string }

/** Creates the accounts of a service with the sample, and what they have. */
export async function createWorld(
  service: ServerProcess,
  dataDir: string,
  { withHugePhotos, importers, sharedItems }: AbuseOptions,
): Promise<AbuseWorld> {
  const many = <T>(count: number, account: T) => Array.from({ length: count }, () => account)
  const [owner, poisoner, ...others] = await createServiceAccounts(dataDir, [
    { tier: 'free', password: PASSWORD },
    { tier: 'free', scans: 100_000 },
    ...many(PHOTO_CUSTOMERS, { tier: 'free' as const, scans: 10_000 }),
    ...many(PRICE_CUSTOMERS, { tier: 'business' as const }),
    ...many(importers, { tier: 'free' as const }),
    ...many(PAGE_ACCOUNTS, { tier: 'free' as const, scans: 10_000 }),
    ...many(HELD_ACCOUNTS, { tier: 'free' as const, scans: 25 }),
  ])
  if (owner === undefined || poisoner === undefined) throw new Error('an account is missing')
  const photoCustomers = others.splice(0, PHOTO_CUSTOMERS)
  const priceCustomers = others.splice(0, PRICE_CUSTOMERS)
  const importing = others.splice(0, importers)
  const pageSenders = others.splice(0, PAGE_ACCOUNTS)
  const shop = priceCustomers[0] as ServiceAccount
  const found = await send<{ id: number }[]>(
    service,
    shop,
    'GET',
    '/v1/sets/90011/cards?per_page=100',
  )
  const cards = found.map(({ id }) => id)
  const importersOf = importing.map(async (account) => {
    return { account, collection: await createCollection(service, account) }
  })
  return {
    service,
    owner,
    poisoner,
    photoCustomers,
    priceCustomers,
    holders: others,
    importers: await Promise.all(importersOf),
    pageSenders,
    sharedList: await shareList(service, shop, cards, sharedItems),
    cards,
    poison: await generatePoisonPhotos(withHugePhotos),
    pages: await generatePagePhotos(),
    photo: Uint8Array.from(readFileSync(samplePhotoPath('clean'))),
  }
}

/** Creates a list of a shop and its link. @returns the token */
async function shareList(
  service: ServerProcess,
  shop: ServiceAccount,
  cards: readonly number[],
  count: number,
): Promise<string> {
  const id = await createCollection(service, shop)
  for (let first = 0; first < count; first += ITEMS_MAX) {
    const items = Array.from({ length: ITEMS_MAX }, (_, at) => ({
      card_id: cards[(first + at) % cards.length],
      quantity: 1 + (at % 4),
    }))
    await send(service, shop, 'POST', `/v1/collections/${id}/items`, { items })
  }
  const link = await send<{ token: string }>(
    service,
    shop,
    'POST',
    `/v1/collections/${id}/share`,
    {},
  )
  return link.token
}

async function createCollection(service: ServerProcess, account: ServiceAccount): Promise<string> {
  const created = await send<{ id: string }>(service, account, 'POST', '/v1/collections', {
    name: 'Stock',
  })
  return created.id
}

/** @returns the `data` of the response @throws Error unless the request succeeds */
async function send<Data>(
  { url }: ServerProcess,
  { key }: ServiceAccount,
  method: string,
  path: string,
  json?: object,
): Promise<Data> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  const response = await fetch(url + path, { method, headers, ...body })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  const { data }: { data: Data } = await response.json()
  return data
}
