import { dayOf } from '#rules/primitives/days.ts'
import { deliveryIdOf, watchIdOf } from '../support/alerts/webhook-fixtures.ts'
import { emailOf, FROZEN, type House, type Member } from '../support/test-app.ts'
import type { Ask, Reply, Row } from '../support/test-user.ts'
import type { AccountEndpoint, Call } from './endpoints.ts'

/** Asks an account endpoint; what is in braces in its path becomes the id of something of somebody's. */
export async function call(
  house: House,
  { method, sample }: AccountEndpoint,
  { keyOf = 'pro', made = sample, ...ask }: Ask & { keyOf?: Member; made?: Call } = {},
): Promise<Reply<Row>> {
  const path = await pathFor(house, made.path, keyOf)
  const json = made.json === undefined ? {} : { json: made.json }
  return house.visitor.ask(method, path, { ...json, ...ask })
}

/** Logs somebody in for an endpoint; for one of operators their account is marked as such. */
export async function enterFor(
  house: House,
  { operator }: AccountEndpoint,
  guest: Member,
): Promise<string> {
  if (operator) await house.appoint(guest)
  return house.enter(guest)
}

/** A path with the ids of what a guest has. */
export async function pathFor(house: House, path: string, guest: Member): Promise<string> {
  let found = path
  for (const [name, idOf] of Object.entries(IDS)) {
    if (found.includes(name)) found = found.replace(name, await idOf(house, guest))
  }
  return found
}

const IDS = { '{id}': keyIdOf, '{webhook_id}': watchIdOf, '{delivery_id}': deliveryIdOf }

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
    watches: await Promise.all((await ledger.webhooks.list(id)).map(withDeliveries)),
  }))
  async function withDeliveries(watch: { id: string }) {
    return { watch, ...(await ledger.deliveries.list(watch.id, { limit: 1_000, offset: 0 })) }
  }
  return JSON.stringify({
    all: await Promise.all(all),
    audit: await ledger.audit.list(1_000),
    checkouts: await ledger.checkouts.open(new Date('9999-01-01'), 1_000),
  })
}
