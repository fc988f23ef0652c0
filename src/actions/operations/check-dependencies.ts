import type { Config } from '#config.ts'
import { openLog } from '#log.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { openConfiguredCardmarket } from '#outbound/marketplace/source-files.ts'
import { checkPort, fetchChainId, probeHttp, probeLocal } from '#outbound/probes.ts'
import { type CheckResult, fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import { SNAPSHOT_FOLDER } from '#rules/operations/snapshot-list.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { CARDMARKET_GAMES, priceGuidePath } from '#rules/sync/cardmarket/files.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { findPortOwner, findPortProblem, localHost } from './claim-port.ts'
import type { Checks } from './doctor-check.ts'
import { readSnapshots } from './read-snapshots.ts'

export const DEPENDENCY_CHECKS: Checks = {
  async upstream({ config: { upstreamUrl, publicUrl } }) {
    if (upstreamUrl === undefined) return ok('no mirror is set: sync is off')
    const userAgent = `Cardstock/${packageJson.version} (+${publicUrl})`
    try {
      const options = { upstreamUrl, userAgent, timeoutMs: 5_000, retries: 0 }
      const published = await openMarketplace(options).fetchPublishTime()
      return ok(`last published at ${published.toISOString()}`)
    } catch (error) {
      return fault(
        errorMessage(error),
        'Check that this machine can reach the mirror, and that UPSTREAM_URL or the setup names its root.',
      )
    }
  },

  async cardmarket({ config }) {
    if (config.cardmarketUrl === undefined)
      return ok('CARDMARKET_URL is not set: no prices of Cardmarket')
    const log = openLog('silent')
    const files = openConfiguredCardmarket(config, log, { timeoutMs: 5_000, retries: 0 })
    try {
      const [guide = ''] = CARDMARKET_GAMES.map(({ id }) => priceGuidePath(id))
      if (await files.has(guide)) return ok('the files can be read')
      return fault(`${guide} does not exist`, CARDMARKET_FIX)
    } catch (error) {
      return fault(errorMessage(error), CARDMARKET_FIX)
    }
  },

  bucket: ({ config, online }) => checkBucket(config, online),

  async server({ config: { host, port, sharePort, dataDir } }) {
    const code = await checkPort(host, port)
    const name = `port ${port} of ${host}`
    if (code === undefined) return ok(`not running; ${name} is free`)
    if (code !== 'EADDRINUSE') {
      return fault(`${name} is not available (${code})`, PORT_FIXES[code] ?? OTHER_PORT)
    }
    const health = await probeLocal(localHost(host), port, '/readyz')
    if (health.kind === 'none') return fault(`${name} is in use: ${health.why}`, OTHER_PORT)
    const { status, faults } = isRecord(health.value) ? health.value : {}
    if (sharePort) {
      const problem = await findPortProblem({ host, port, sharePort, dataDir })
      if (problem !== undefined) return fault(`${name} is shared by different servers`, problem)
    }
    const sharing = sharePort ? ', which servers with this data folder may share,' : ''
    if (status !== 'ready' && status !== 'not ready')
      return fault(`another program answers on ${name}`, OTHER_PORT)
    if ((await findPortOwner({ host, port, dataDir }))?.hasSameFolder === false)
      return fault(`a server with another data folder answers on ${name}`, OTHER_FOLDER)
    if (status === 'ready') return ok(`it runs on port ${port}${sharing} and is ready`)
    return warning(
      `it runs on port ${port} and is not ready: ${[faults].flat().join(', ')}`,
      'Wait if it is starting or stopping; otherwise see its log.',
    )
  },

  webhooks({ config: { webhookNetwork, isLocal } }) {
    if (webhookNetwork === 'public') return ok('sent to public addresses only')
    if (isLocal)
      return ok('also sent to this machine, because only this machine can reach the server')
    return warning(
      'WEBHOOK_NETWORK is loopback-ok: accounts can send alerts to services of this machine',
      'Set WEBHOOK_NETWORK=public, unless you trust all accounts.',
    )
  },

  async billing({ config: { billing, production }, online }) {
    if (billing.provider === 'off') return ok('off')
    if (billing.provider === 'manual') {
      const message = 'manual: the operator confirms payments'
      if (billing.contact !== undefined || !production) return ok(message)
      return warning(
        `${message}, but BILLING_CONTACT does not say how to pay`,
        'Set BILLING_CONTACT, which the checkout page shows, or BILLING_PROVIDER=off.',
      )
    }
    if (!online) return ok('Stripe is configured; --online also checks its key')
    const url = `${billing.apiUrl}/v1/prices?limit=1`
    const answer = await probeHttp(url, 'Stripe', { authorization: `Bearer ${billing.secretKey}` })
    if (answer.kind === 'none')
      return fault(answer.why, 'Check that this machine can reach Stripe.')
    if (answer.status === 200) return ok('Stripe accepts the key')
    return fault(
      `Stripe answers ${answer.status} to the key`,
      'Set the secret key that Stripe shows under API keys, with the permissions of docs/guides/billing/billing.md.',
    )
  },

  async 'photo payments'({ config: { x402 }, online }) {
    if (x402 === undefined) return ok('off')
    const { network, facilitatorUrl, rpcUrl } = x402
    if (!online) {
      return ok(`on, for ${network}; --online also checks the facilitator and the node`)
    }
    const supported = await probeHttp(`${facilitatorUrl}/supported`, 'the facilitator')
    const chain = await fetchChainId(rpcUrl)
    const results = []
    const isListed =
      supported.kind !== 'none' && JSON.stringify(supported.value ?? null).includes(`"${network}"`)
    if (!isListed) {
      const why = supported.kind === 'none' ? supported.why : `it does not list ${network}`
      const fix = 'Check that X402_FACILITATOR_URL supports X402_NETWORK.'
      results.push(fault(`the facilitator cannot be used: ${why}`, fix))
    }
    if (network !== `eip155:${chain}`) {
      const problem = chain === undefined ? 'does not answer' : `is on eip155:${chain}`
      const fix = `Set a node of ${network}, which confirms payments.`
      results.push(fault(`the node at X402_RPC_URL ${problem}`, fix))
    }
    return results.length > 0 ? results : ok(`facilitator and node support ${network}`)
  },
}

const CARDMARKET_FIX =
  'Check that CARDMARKET_URL is the folder with productCatalog, and that this machine can reach it.'

const OTHER_PORT = 'Set another PORT, or stop the program that uses this one.'
const OTHER_FOLDER = 'Set DATA_DIR to the folder of that server, or another PORT for this one.'

const PORT_FIXES: Record<string, string> = {
  EACCES: 'Set a PORT above 1023 (lower ones need root), and let a proxy listen on 443.',
  EADDRNOTAVAIL: 'Set HOST to an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
}

/**
 * Checks the bucket of SNAPSHOTS_URL or CATALOG_FROM.
 *
 * @param writes also writes a small object and deletes it, as a publishing server must be able to
 */
async function checkBucket(
  { snapshots, catalogSource }: Config,
  writes: boolean,
): Promise<CheckResult> {
  const settings = snapshots ?? catalogSource
  if (settings === undefined)
    return ok('SNAPSHOTS_URL is not set: the catalog is on this disk only')
  const bucket = openBucket(settings)
  try {
    const [newest] = (await readSnapshots(bucket)).snapshots
    const problem = snapshots !== undefined && writes ? await findWriteProblem(bucket) : undefined
    if (problem !== undefined) {
      return fault(problem, 'Use a bucket that supports If-None-Match and If-Match, as S3 does.')
    }
    if (newest === undefined) {
      return warning(
        'the bucket has no snapshot yet',
        'The next sync of the publishing server adds one.',
      )
    }
    return ok(`the newest snapshot is version ${newest.version} of ${newest.changed_at}`)
  } catch (error) {
    return fault(
      errorMessage(error).split('. ')[0] ?? '',
      'Check SNAPSHOTS_URL or CATALOG_FROM, AWS_ENDPOINT_URL, AWS_REGION, and the rights of the key.',
    )
  }
}

/**
 * Returns the problem of a bucket that ignores conditions of writes: two servers could overwrite each other's
 * publications.
 */
async function findWriteProblem(bucket: Bucket): Promise<string | undefined> {
  const name = `${SNAPSHOT_FOLDER}doctor-${crypto.randomUUID()}`
  try {
    await bucket.replace(name, 'first', undefined)
    if (await bucket.replace(name, 'second', undefined)) return 'the bucket overwrites new objects'
    const stale = '"00000000000000000000000000000000"'
    if (await bucket.replace(name, 'third', stale)) return 'the bucket overwrites changed objects'
    return undefined
  } finally {
    await bucket.delete(name)
  }
}
