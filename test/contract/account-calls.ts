import { dayOf } from '#rules/days.ts'
import { emailOf, FROZEN, type House, type Member } from '../support/house.ts'
import type { Ask, Reply, Row } from '../support/visitor.ts'
import type { AccountEndpoint, Call } from './endpoints.ts'

/** Asks an account endpoint; `{id}` in its path becomes the id of a key of somebody's. */
export async function call(
  house: House,
  { method, sample }: AccountEndpoint,
  { keyOf = 'pro', made = sample, ...ask }: Ask & { keyOf?: Member; made?: Call } = {},
): Promise<Reply<Row>> {
  const path = made.path.replace('{id}', await keyIdOf(house, keyOf))
  const json = made.json === undefined ? {} : { json: made.json }
  return house.visitor.ask(method, path, { ...json, ...ask })
}

/** The id of a guest's first key. */
export async function keyIdOf({ deps: { ledger } }: House, guest: Member): Promise<string> {
  const account = await ledger.accounts.byEmail(emailOf(guest))
  const [key] = await ledger.keys.list(account?.id ?? 0, dayOf(new Date(FROZEN)))
  if (key === undefined) throw new Error(`${guest} has no key`)
  return key.id
}

/** All that a request can change of accounts, as text to compare. */
export async function stateOf({ deps: { ledger } }: House): Promise<string> {
  const accounts = await ledger.accounts.list()
  const all = accounts.map(async ({ id }) => ({
    account: await ledger.accounts.byId(id),
    keys: await ledger.keys.list(id, dayOf(new Date(FROZEN))),
    sessions: await ledger.sessions.list(id),
  }))
  return JSON.stringify({
    all: await Promise.all(all),
    audit: await ledger.audit.list(1_000),
    checkouts: await ledger.checkouts.open(new Date('9999-01-01'), 1_000),
  })
}
