// Steady load through a load balancer. No request may fail.

import type { ServiceAccount } from '../../support/accounts/service-accounts.ts'
import { PRICED } from '../../support/snapshots/fleet.ts'
import { PASSWORD } from '../../support/test-app.ts'

export type UpgradeLoad = {
  /** Requests by kind. */
  counts: Record<string, number>
  /** Requests without the expected response. */
  failures: string[]
  stop(): Promise<void>
}

type LoadRequest = { kind: string; path: string; init?: RequestInit; pauseMs: number }

/** @param account an account with a password */
export function startLoad(url: string, { email, key, cookie }: ServiceAccount): UpgradeLoad {
  const json = { 'content-type': 'application/json', origin: url }
  const authorization = `Bearer ${key}`
  const requests: LoadRequest[] = [
    { kind: 'anonymous', path: '/v1/games', pauseMs: 20 },
    {
      kind: 'keyed',
      path: `/v1/sets/${PRICED.set}/prices`,
      pauseMs: 20,
      init: { headers: { authorization } },
    },
    {
      kind: 'bulk',
      path: '/v1/bulk/resolve/name',
      pauseMs: 50,
      init: {
        method: 'POST',
        headers: { ...json, authorization },
        body: JSON.stringify({ items: [{ name: 'T.S.V. Marigold' }] }),
      },
    },
    { kind: 'session', path: '/v1/usage', pauseMs: 50, init: { headers: { cookie } } },
    {
      kind: 'login',
      path: '/v1/auth/login',
      pauseMs: 5_000,
      init: { method: 'POST', headers: json, body: JSON.stringify({ email, password: PASSWORD }) },
    },
  ]
  const counts: Record<string, number> = {}
  const failures: string[] = []
  let isStopped = false

  async function send({ kind, path, init, pauseMs }: LoadRequest): Promise<void> {
    while (!isStopped) {
      const outcome = await fetch(url + path, init).then(
        async (response) => {
          const text = await response.text()
          return response.status === 200 ? undefined : `${response.status} ${text}`
        },
        (error) => String(error),
      )
      counts[kind] = (counts[kind] ?? 0) + 1
      if (outcome !== undefined) failures.push(`${kind}: ${outcome}`)
      await Bun.sleep(pauseMs)
    }
  }
  const sending = requests.map(send)
  return {
    counts,
    failures,
    async stop() {
      isStopped = true
      await Promise.all(sending)
    },
  }
}
