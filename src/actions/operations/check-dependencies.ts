import type { BillingSettings, Config, X402Settings } from '#config.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { checkPort, fetchChainId, probeHttp, probeLocal } from '#outbound/probes.ts'
import { createFindings, type Finding } from '#rules/operations/doctor-finding.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/** Whether the mirror answers, and when it last published. */
export async function checkUpstream({ upstreamUrl, publicUrl }: Config): Promise<Finding[]> {
  const { ok, fault } = createFindings('upstream')
  if (upstreamUrl === undefined) return [ok('UPSTREAM_URL is not set: nothing is synced')]
  const userAgent = `Cardstock/${packageJson.version} (+${publicUrl})`
  try {
    const mirror = openMarketplace({ upstreamUrl, userAgent, timeoutMs: MIRROR_MS, retries: 0 })
    const published = await mirror.fetchPublishTime()
    return [ok(`last published at ${published.toISOString()}`)]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [fault(why, 'Is UPSTREAM_URL the root of a mirror, and can this machine reach it?')]
  }
}

const MIRROR_MS = 5_000

/** Whether the port is free, or a Cardstock answers there already. */
export async function checkServer({ host, port }: Config): Promise<Finding[]> {
  const { ok, warning, fault } = createFindings('server')
  const why = await checkPort(host, port)
  if (why === undefined) return [ok(`nothing runs yet, and port ${port} of ${host} is free`)]
  if (why !== 'EADDRINUSE') {
    return [fault(`port ${port} of ${host} cannot be had (${why})`, PORT_MENDS[why] ?? OTHER_PORT)]
  }
  const health = await probeLocal(reachable(host), port, '/readyz')
  if (health.kind === 'none') {
    return [fault(`something has port ${port} of ${host}: ${health.why}`, OTHER_PORT)]
  }
  const status = isRecord(health.value) ? health.value.status : undefined
  if (status === 'ready') return [ok(`runs on port ${port}, and is ready`)]
  if (status !== 'not ready') {
    return [fault(`another program answers on port ${port} of ${host}`, OTHER_PORT)]
  }
  const faults = isRecord(health.value) ? JSON.stringify(health.value.faults) : ''
  return [
    warning(
      `runs on port ${port}, and is not ready: ${faults}`,
      'While it starts or stops that passes; else its log says what is wrong.',
    ),
  ]
}

const OTHER_PORT = 'Set another PORT, or stop what has it.'

const PORT_MENDS: Record<string, string> = {
  EACCES: 'Ports below 1024 are for root: set a PORT above, and let a proxy take 443.',
  EADDRNOTAVAIL: 'HOST is no address of this machine: set 127.0.0.1, 0.0.0.0 or one that is.',
}

/** What listens on every address is reached by this machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** Whether what takes money is set up; that it answers, too, is only asked where the operator wants it. */
export async function checkPayments(
  { billing, x402, production }: Config,
  online: boolean,
): Promise<Finding[]> {
  return [
    await billingFinding(billing, { online, production }),
    ...(await x402Findings(x402, online)),
  ]
}

async function billingFinding(
  billing: BillingSettings,
  { online, production }: { online: boolean; production: boolean },
): Promise<Finding> {
  const { ok, warning, fault } = createFindings('billing')
  if (billing.provider === 'off') return ok('is off')
  if (billing.provider === 'manual') {
    if (billing.contact !== undefined || !production) return ok('is by hand')
    return warning(
      'is by hand, and BILLING_CONTACT does not say how to pay',
      'Set BILLING_CONTACT: the checkout page shows it. BILLING_PROVIDER=off sells nothing.',
    )
  }
  if (!online) return ok('Stripe is set up; --online asks whether it takes the key')
  const answer = await probeHttp(`${billing.apiUrl}/v1/prices?limit=1`, 'Stripe', {
    authorization: `Bearer ${billing.secretKey}`,
  })
  if (answer.kind === 'none') return fault(answer.why, 'Can this machine reach Stripe?')
  if (answer.status === 200) return ok('Stripe takes the key')
  return fault(
    `Stripe answers ${answer.status} to the key`,
    'Give the secret key that Stripe shows under API keys, with the rights of docs/guides/billing/billing.md.',
  )
}

async function x402Findings(x402: X402Settings | undefined, online: boolean): Promise<Finding[]> {
  const { ok, fault } = createFindings('photo payments')
  if (x402 === undefined) return [ok('are off')]
  const { network, facilitatorUrl, rpcUrl } = x402
  if (!online) return [ok(`are on, for ${network}; --online asks whether the others answer`)]
  const supported = await probeHttp(`${facilitatorUrl}/supported`, 'the facilitator')
  const chain = await fetchChainId(rpcUrl)
  const told = supported.kind === 'answer' ? JSON.stringify(supported.value ?? null) : ''
  const findings: Finding[] = []
  if (!told.includes(`"${network}"`)) {
    const why = supported.kind === 'none' ? supported.why : `it does not name ${network}`
    findings.push(
      fault(
        `the facilitator is no help: ${why}`,
        'Is X402_FACILITATOR_URL right, for X402_NETWORK?',
      ),
    )
  }
  if (network !== `eip155:${chain}`) {
    const says = chain === undefined ? 'does not answer' : `is of eip155:${chain}`
    findings.push(
      fault(
        `the node of X402_RPC_URL ${says}`,
        `Name a node of ${network}: it says what was paid.`,
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`facilitator and node know ${network}`)]
}
