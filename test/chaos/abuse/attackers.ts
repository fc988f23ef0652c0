import {
  type Call,
  type CallerRecord,
  call,
  createCallerRecord,
  repeatCalls,
  sendLogin,
} from './callers.ts'
import { listNetworks } from './networks.ts'
import { type AbuseOptions, type AbuseWorld, type Importer, OWNER_HOME } from './world.ts'

/** Pause of an attacker after a rejection in seconds, so that it does not only use CPU. */
const ATTACKER_PAUSE = 0.5

/** Files that an account imports at the same time. */
const IMPORTS_AT_ONCE = 4

/** Lines of an imported file. Each looks like several cards, and like none of the catalog. */
const IMPORT_LINES = 900

/** Time after which the client of every second import leaves. */
const IMPORT_PATIENCE_MS = 2_000

/** Sends and records the requests of an attacker. */
type Attack = {
  /** Sends a request and records it. @returns the pause in seconds until the next */
  send(request: Omit<Call, 'signal'>, signal?: AbortSignal): Promise<number>
}

/** Starts the attackers that hold no uploads. */
export function startAttackers(options: AbuseOptions, world: AbuseWorld) {
  const { url } = world.service
  const ending = new AbortController()
  const records: Record<string, CallerRecord> = {}
  const loops: Promise<void>[] = []

  /** Starts attackers of a kind, each of which repeats its work with its own number. */
  function start(
    kind: string,
    count: number,
    work: (attack: Attack, round: number, place: number) => Promise<number>,
  ): void {
    const record = createCallerRecord()
    records[kind] = record
    const attack: Attack = {
      async send(request, signal = ending.signal) {
        const both = AbortSignal.any([signal, ending.signal])
        const { status } = await call(url, { ...request, signal: both }, record)
        return status === 429 || status === 503 ? ATTACKER_PAUSE : 0
      },
    }
    for (let place = 0; place < count; place++) {
      loops.push(repeatCalls(ending.signal, (round) => work(attack, round, place)))
    }
  }

  start('poison', options.poisonLoops, ({ send }, round, loop) =>
    send(poisonCall(world, round + loop)),
  )
  start('importers', options.importers * IMPORTS_AT_ONCE, ({ send }, round, place) => {
    const importer = pickAt(world.importers, place)
    const patience = (round + place) % 2 === 0 ? AbortSignal.timeout(IMPORT_PATIENCE_MS) : undefined
    return send(importCall(importer, `${place} ${round}`), patience)
  })
  start('resetters', options.resetters, ({ send }, round, place) =>
    send(resetCall(world, round + place)),
  )
  start('list readers', options.listReaders, ({ send }, round, place) =>
    send(sharedListCall(world, options, { round, place })),
  )
  start('page senders', world.pageSenders.length, ({ send }, round, place) =>
    send(pageCall(world, { round, place })),
  )
  startSpread()
  return {
    async end() {
      ending.abort()
      await Promise.all(loops)
      return records
    },
  }

  /** Starts the attackers whose rate is limited, most of them in many networks. */
  function startSpread(): void {
    const { rates } = options
    const networks = listNetworks(options.networks)
    /** Begins after a random delay, so that not all networks send at the same moment. */
    const spread = (
      kind: string,
      rate: number,
      addresses: readonly string[],
      send: (
        attack: Attack & { record: CallerRecord },
        round: number,
        address: string,
      ) => Promise<unknown>,
    ) =>
      start(kind, addresses.length, async (attack, round, place) => {
        if (round === 0) return place / rate
        const record = records[kind] as CallerRecord
        await send({ ...attack, record }, round, pickAt(addresses, place))
        return addresses.length / rate
      })
    spread('scrapers', rates.scrapers, networks, ({ send }, round, address) => {
      const id = pickAt(world.cards, round)
      const path = round % 2 === 0 ? `/v1/cards/${id}` : `/v1/cards/${id}/history?range=all`
      return send({ path, headers: { 'x-cardstock-page': '1', 'x-forwarded-for': address } })
    })
    spread('guessers', rates.guessers, networks, ({ record }, round, address) => {
      const password = `a wrong password ${round} ${address}`
      const credentials = { email: world.owner.email, password }
      return sendLogin(url, { credentials, address, signal: ending.signal }, record)
    })
    spread(
      'neighbors',
      rates.neighbors,
      Array(8).fill(OWNER_HOME),
      ({ record }, round, address) => {
        const email = `nobody-${round}-${crypto.randomUUID()}@neighbors.example`
        const credentials = { email, password: 'a wrong password' }
        return sendLogin(url, { credentials, address, signal: ending.signal }, record)
      },
    )
  }
}

function poisonCall({ poison, poisoner: { key } }: AbuseWorld, number: number): Call {
  const { type, bytes } = pickAt(poison, number)
  const headers = { 'x-api-key': key, 'x-forwarded-for': '192.0.2.66', 'content-type': type }
  return { path: '/v1/identify', method: 'POST', headers, body: bytes }
}

/** Imports a list of lines that are expensive to understand. Each file is another one. */
function importCall({ account, collection }: Importer, name: string): Call {
  const lines = Array.from(
    { length: IMPORT_LINES },
    (_, line) => `7 Pikachu (abc) ${line}/49 [wxyz ${name}] *F*`,
  )
  return {
    path: `/v1/collections/${collection}/import`,
    method: 'POST',
    headers: {
      'x-api-key': account.key,
      'x-forwarded-for': '192.0.2.77',
      'content-type': 'text/plain',
    },
    body: lines.join('\n'),
  }
}

/** Tries a token that nobody has; every fifth time, asks for a link to the owner's address. */
function resetCall({ owner }: AbuseWorld, number: number): Call {
  const isRequest = number % 5 === 0
  const body = isRequest
    ? { email: owner.email }
    : { token: 'A'.repeat(43), new_password: `a new password ${number}` }
  return {
    path: isRequest ? '/v1/auth/reset' : '/v1/auth/reset/password',
    method: 'POST',
    headers: { 'x-forwarded-for': '192.0.2.88', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** Reads any page of the shared list in any order, half of the time from one address. */
function sharedListCall(
  { sharedList }: AbuseWorld,
  { sharedItems }: AbuseOptions,
  { round, place }: { round: number; place: number },
): Call {
  const sort = pickAt(['value_desc', 'name', 'added_desc'], round)
  const page = 1 + ((round * 37 + place * 11) % Math.max(1, Math.floor(sharedItems / 100)))
  const address = place % 2 === 0 ? '198.51.100.1' : `198.51.100.${10 + place}`
  return {
    path: `/v1/shared/${sharedList}?sort=${sort}&page=${page}&per_page=100`,
    headers: { 'x-forwarded-for': address },
  }
}

/** Sends a page of 36 unknown cards, or every fourth time one without a card, from the network of its account. */
function pageCall(
  { pageSenders, pages }: AbuseWorld,
  { round, place }: { round: number; place: number },
): Call {
  const headers = {
    'x-api-key': pickAt(pageSenders, place).key,
    'x-forwarded-for': `203.0.113.${1 + place}`,
    'content-type': 'image/jpeg',
  }
  const body = pickAt(pages, round % 4 === 3 ? 1 : 0)
  return { path: '/v1/identify/page', method: 'POST', headers, body }
}

function pickAt<T>(from: readonly T[], index: number): T {
  const value = from[index % from.length]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}
