import type { ServiceAccount } from '../../support/accounts/service-accounts.ts'
import type { LoadRequest } from '../../support/chaos/load-task.ts'

const PASSWORD_LOGINS_WEIGHT = 0.2

export type SoakCallers = {
  /** Accounts with keys of the highest tier. */
  customers: readonly ServiceAccount[]
  /** Accounts that log in repeatedly. */
  members: readonly ServiceAccount[]
  password: string
}

/** The mixed requests of a day: programs, the dashboard, visitors, and callers that make mistakes. */
export function soakRequests(
  { customers, members, password }: SoakCallers,
  { cards, sets }: { cards: readonly number[]; sets: readonly number[] },
): LoadRequest[] {
  const keys = customers.map(({ key }) => ({ 'x-api-key': key }))
  const cookies = customers.map(({ cookie }) => ({ cookie }))
  const json = { 'content-type': 'application/json' }
  const of = (ids: readonly number[], path: (id: number) => string) => ids.map(path)
  const count = Math.min(50, Math.ceil(cards.length / 12))
  const dozens = Array.from({ length: count }, (_, index) =>
    cards.slice(index * 12, index * 12 + 12),
  )
  const visitors = Array.from({ length: 200 }, (_, index) => ({
    'x-cardstock-page': '1',
    'x-forwarded-for': `203.${index % 100}.${Math.floor(index / 100)}.7`,
  }))
  const keyed = (kind: string, weight: number, paths: readonly string[]): LoadRequest => {
    return { kind, weight, headers: keys, paths }
  }
  return [
    keyed(
      'prices',
      28,
      of(cards, (id) => `/v1/cards/${id}/prices`),
    ),
    keyed(
      'card',
      14,
      of(cards, (id) => `/v1/cards/${id}`),
    ),
    keyed(
      'history',
      8,
      of(cards, (id) => `/v1/cards/${id}/history`),
    ),
    keyed('search', 10, SEARCHES),
    keyed(
      'set',
      5,
      of(sets, (id) => `/v1/sets/${id}/cards`),
    ),
    keyed(
      'set prices',
      2,
      of(sets, (id) => `/v1/sets/${id}/prices`),
    ),
    keyed(
      'export',
      1,
      of(sets, (id) => `/v1/export/set/${id}?format=csv`),
    ),
    keyed('movers', 4, ['/v1/prices/top-movers']),
    keyed(
      'bulk',
      3,
      dozens.map((ids) => `/v1/bulk/prices?ids=${ids}`),
    ),
    {
      kind: 'resolve',
      weight: 2,
      method: 'POST',
      paths: ['/v1/bulk/resolve/name'],
      headers: keys.map((key) => ({ ...key, ...json })),
      bodies: [JSON.stringify({ items: [{ name: 'Weaver 3 of Skein 2' }, { name: 'Wiver 7' }] })],
    },
    { kind: 'games', weight: 4, paths: ['/v1/games', '/v1/meta', '/v1/games/wickerwild/sets'] },
    { kind: 'page', weight: 3, paths: ['/', '/search?q=weaver', '/openapi.json', '/healthz'] },
    {
      kind: 'visitor',
      weight: 3,
      headers: visitors,
      paths: of(cards, (id) => `/v1/cards/${id}/prices`),
    },
    {
      kind: 'account',
      weight: 5,
      headers: cookies,
      paths: ['/v1/usage', '/v1/keys', '/v1/auth/me'],
    },
    {
      kind: 'login',
      weight: PASSWORD_LOGINS_WEIGHT,
      method: 'POST',
      paths: ['/v1/auth/login'],
      headers: [json],
      bodies: members.map(({ email }) => JSON.stringify({ email, password })),
    },
    { ...keyed('unknown card', 2, ['/v1/cards/1/prices']), expected: [404] },
    { kind: 'no key', weight: 1, paths: ['/v1/cards/900018/prices'], expected: [401] },
    { ...keyed('bad query', 1, ['/v1/search?q=w']), expected: [400] },
  ]
}

const SEARCHES = ['weaver', 'skein 12', 'tide clerk', 'wevaer', 'we', 'of', 'weaver 7 skein 3'].map(
  (query) => `/v1/search?q=${encodeURIComponent(query)}`,
)
