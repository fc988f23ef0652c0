// Checks a cluster's ledger against the exchanges of its clients.
import type pg from 'pg'
import { DAILY_REQUESTS, type Tier } from '#rules/accounts/tiers.ts'
import type { Clients, Exchange } from './cluster-clients.ts'

/** Maximum number of requests that a lost lease counts without granting them. */
const LEASE_REQUESTS = 64

/** @returns accounts that were granted more than their quota or than was counted, or that lost too much */
export async function findQuotaFaults(
  client: pg.Client,
  exchanges: readonly Exchange[],
  { kills }: { kills: number },
): Promise<string[]> {
  const { rows } = await client.query<{ key_hash: Buffer; tier: Tier; used: string }>(
    `SELECT key_hash, tier, sum(used) AS used FROM keys
       JOIN accounts ON accounts.id = keys.account_id
       JOIN usage_daily ON usage_daily.account_id = keys.account_id GROUP BY key_hash, tier`,
  )
  const counts = countByKey(exchanges.filter(({ kind }) => kind === 'quota'))
  return rows.flatMap(({ key_hash, tier, used }) => {
    const count = counts.get(key_hash.toString('hex'))
    if (count === undefined) return []
    const { granted, unknown } = count
    const lost = Number(used) - granted - unknown
    const isFine =
      granted <= DAILY_REQUESTS[tier] &&
      granted <= Number(used) &&
      Number(used) <= DAILY_REQUESTS[tier] &&
      lost <= LEASE_REQUESTS * (kills + SERVERS)
    return isFine ? [] : [`${tier}: granted ${granted}, unknown ${unknown}, counted ${used}`]
  })
}

/** Servers still running at the end hold a lease, too. */
const SERVERS = 3

function countByKey(exchanges: readonly Exchange[]) {
  const counts = new Map<string, { granted: number; unknown: number }>()
  for (const { subject, status } of exchanges) {
    const hash = new Bun.CryptoHasher('sha256').update(subject).digest('hex')
    const count = counts.get(hash) ?? { granted: 0, unknown: 0 }
    if (status === 200) count.granted++
    if (status === 0) count.unknown++
    counts.set(hash, count)
  }
  return counts
}

/** @returns keys that a server accepted in a request that began more than a second after their revocation */
export function findKeyFaults({ exchanges, revokedAt }: Clients): string[] {
  return exchanges.flatMap(({ kind, subject, status, startedAt }) => {
    const revoked = revokedAt.get(subject)
    if (kind !== 'key' || status !== 200 || revoked === undefined) return []
    const afterMs = startedAt - revoked
    return afterMs > 1_000 ? [`accepted ${Math.round(afterMs)} ms after its revocation`] : []
  })
}

/** @returns accounts whose books do not balance, and trials, purchases or scans that are lost or duplicated */
export async function findBookFaults(
  client: pg.Client,
  exchanges: readonly Exchange[],
): Promise<string[]> {
  const faults: string[] = []
  const { rows: unbalanced } = await client.query(
    `SELECT accounts.id, scan_balance, coalesce(sum(n), 0) AS sum FROM accounts
       LEFT JOIN scan_ledger ON scan_ledger.account_id = accounts.id
      GROUP BY accounts.id HAVING scan_balance <> coalesce(sum(n), 0) OR scan_balance < 0`,
  )
  for (const row of unbalanced) faults.push(`balance: ${JSON.stringify(row)}`)
  const { rows: trials } = await client.query(
    `SELECT account_id, count(*) FROM scan_ledger WHERE kind = 'trial'
      GROUP BY account_id HAVING count(*) > 1`,
  )
  for (const row of trials) faults.push(`trials: ${JSON.stringify(row)}`)
  const { rows: held } = await client.query("SELECT id FROM scan_holds WHERE state = 'held'")
  if (held.length > 0) faults.push(`${held.length} scans are neither used nor refunded`)

  for (const [kind, sql] of [
    [
      'scan',
      "SELECT count(*) FROM scan_holds JOIN keys USING (account_id) WHERE state = 'done' AND key_hash = $1",
    ],
    [
      'checkout',
      "SELECT count(*) FROM scan_ledger JOIN keys USING (account_id) WHERE kind = 'purchase' AND key_hash = $1",
    ],
  ] as const) {
    const own = exchanges.filter((exchange) => exchange.kind === kind)
    for (const [hash, { granted, unknown }] of countByKey(own)) {
      const { rows } = await client.query<{ count: string }>(sql, [Buffer.from(hash, 'hex')])
      const stored = Number(rows[0]?.count)
      // A refused request to a server that lost its database may have been executed.
      const refused = own.filter(({ status }) => status === 503).length
      if (stored < granted) faults.push(`${kind}: ${granted} confirmed, ${stored} stored`)
      if (stored > granted + unknown + refused)
        faults.push(`${kind}: ${stored} stored for ${granted}`)
    }
  }
  return faults
}
