import { existsSync } from 'node:fs'
import { type Config, type Environment, readConfig } from '#config.ts'
import { createFindings, type Finding } from '#rules/operations/doctor-finding.ts'

const { ok, warning, fault } = createFindings('settings')

/** Whether the settings are right, and whether they go together. */
export function checkConfig(env: Environment): { config: Config; findings: Finding[] } {
  try {
    const config = readConfig(env)
    const findings = configWarnings(config)
    return { config, findings: findings.length > 0 ? findings : [ok('all are right')] }
  } catch (error) {
    const faults = error instanceof Error ? error.message.split('\n- ').slice(1) : [String(error)]
    const findings = faults.map((text) =>
      fault(text, '.env.example says what each setting takes. The checks below use the defaults.'),
    )
    return { config: readConfig(foldersOf(env)), findings }
  }
}

/** Where the data lies cannot be wrong, and is what the other checks look at. */
function foldersOf({ DATA_DIR }: Environment): Environment {
  return { DATA_DIR }
}

/** What can be meant so, and seldom is. */
function configWarnings(config: Config): Finding[] {
  return [...doubtsOfReach(config), ...doubtsOfProduction(config)]
}

function doubtsOfReach({ host, trustedProxies, production, webhookNetwork }: Config): Finding[] {
  const isOpen = !['127.0.0.1', '::1', 'localhost'].includes(host)
  const found: Finding[] = []
  if (isOpen && !production) {
    found.push(
      warning(
        `HOST is ${host}, so other machines reach the server, and NODE_ENV is not production`,
        'Set NODE_ENV=production, or HOST=127.0.0.1.',
      ),
    )
  }
  // In a container every address is the container's own.
  if (isOpen && trustedProxies > 0 && !isContainer()) {
    found.push(
      warning(
        `TRUST_PROXY is ${trustedProxies} and HOST is ${host}: whoever comes past the proxy can invent an address`,
        'Set HOST=127.0.0.1 where the proxy runs on this machine, or let nobody but the proxy reach the port.',
      ),
    )
  }
  if (production && webhookNetwork === 'loopback-ok') {
    found.push(
      warning(
        'WEBHOOK_NETWORK is loopback-ok in production: accounts can send alerts to services of this machine',
        'Set WEBHOOK_NETWORK=public.',
      ),
    )
  }
  return found
}

function doubtsOfProduction({ production, publicUrl, logLevel, billing }: Config): Finding[] {
  const found: Finding[] = []
  if (production && !publicUrl.startsWith('https:')) {
    found.push(
      warning(
        `PUBLIC_URL is ${publicUrl}: passwords, keys and sessions cross the network in the clear`,
        'Put a proxy with TLS before the server (docs/guides/operations/install.md) and give its https address.',
      ),
    )
  }
  if (logLevel === 'silent') {
    found.push(warning('LOG_LEVEL is silent: nobody will learn what went wrong', 'Set info.'))
  }
  if (billing.provider === 'manual' && billing.autopay) {
    found.push(
      warning(
        'BILLING_DEV_AUTOPAY is on: whoever orders a plan has it without paying',
        'Turn it off before anybody else reaches the server.',
      ),
    )
  }
  if (billing.provider === 'stripe' && /^[sr]k_(test|live)_/.test(billing.secretKey)) {
    const isTest = billing.secretKey.startsWith('test_', 3)
    if (isTest === production) {
      found.push(
        warning(
          `STRIPE_SECRET_KEY is of ${isTest ? 'test' : 'live'} mode, and NODE_ENV is ${production ? '' : 'not '}production`,
          isTest
            ? 'Nobody can pay: give the live key.'
            : 'Real cards are charged: give a test key.',
        ),
      )
    }
  }
  return found
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}
