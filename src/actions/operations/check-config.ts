import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '#config/setting-reader.ts'
import { type Config, readConfig, withStoredSettings } from '#config.ts'
import { type CheckResult, fault, ok, warning } from '#rules/operations/doctor-finding.ts'
import { parseStoredSettings, type SettingTexts } from '#rules/operations/service-settings.ts'
import { isLoopbackHost } from '#rules/primitives/public-address.ts'
import { LEDGER_FILE } from '#store/files/data-folder.ts'
import { inspectSettings } from '#store/files/inspect-database.ts'
import { inspectLedgerDatabase } from '#store/ledger/inspect-ledger-database.ts'
import type { CheckContext } from './doctor-check.ts'

type CheckedConfig = {
  choices: Pick<CheckContext, 'config' | 'stored'>
  results: CheckResult[]
}

/** Checks that the settings are valid, and warns about combinations that are rarely intended. */
export async function checkConfig(env: Environment): Promise<CheckedConfig> {
  const { config, results } = checkEnvironment(env)
  const texts = await readTexts(config)
  if (texts === undefined) return { choices: { config, stored: undefined }, results }
  const stored = parseStoredSettings(texts)
  return { choices: { config: withStoredSettings(config, stored), stored }, results }
}

/** Returns undefined if the ledger cannot be read, which another check reports. */
async function readTexts({ dataDir, ledgerDatabase }: Config): Promise<SettingTexts | undefined> {
  try {
    return ledgerDatabase === undefined
      ? inspectSettings(join(dataDir, LEDGER_FILE))
      : (await inspectLedgerDatabase(ledgerDatabase)).settings
  } catch {
    return undefined
  }
}

function checkEnvironment(env: Environment) {
  try {
    const config = readConfig(env)
    const warnings = configWarnings(config)
    return { config, results: warnings.length > 0 ? warnings : [ok('all settings are valid')] }
  } catch (error) {
    const faults = error instanceof Error ? error.message.split('\n- ').slice(1) : [String(error)]
    const results = faults.map((text) =>
      fault(text, 'See .env.example for the values it takes. The checks below use the defaults.'),
    )
    // DATA_DIR cannot be invalid, and the other checks need it.
    return { config: readConfig({ DATA_DIR: env.DATA_DIR }), results }
  }
}

function configWarnings(config: Config): CheckResult[] {
  const { host, trustedProxies, production, publicUrl, logLevel, billing, metricsToken } = config
  const isPublic = !isLoopbackHost(host)
  const stripeMode =
    billing.provider === 'stripe' ? /^[sr]k_(test|live)_/.exec(billing.secretKey)?.[1] : undefined
  // In a container, HOST is always the container's own address.
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv')
  const rules: [applies: boolean, message: string, fix: string][] = [
    [
      isPublic && !production,
      `other machines can reach the server (HOST is ${host}), but NODE_ENV is not production`,
      'Set NODE_ENV=production, or HOST=127.0.0.1.',
    ],
    [
      isPublic && trustedProxies > 0 && !isContainer,
      `TRUST_PROXY is ${trustedProxies} and HOST is ${host}: clients that bypass the proxy can forge their IP address`,
      'Set HOST=127.0.0.1 if the proxy runs on this machine, or let only the proxy reach the port.',
    ],
    [
      isPublic && metricsToken === undefined,
      `/metrics is open to everybody who can reach the server (HOST is ${host})`,
      'Set METRICS_TOKEN, or let only the proxy and Prometheus reach the port.',
    ],
    [
      publicUrl.startsWith('https:') && trustedProxies === 0,
      `PUBLIC_URL is ${publicUrl}, but TRUST_PROXY is 0: all clients share the address of the TLS proxy, and its limits`,
      'Set TRUST_PROXY to the number of proxies in front of the server.',
    ],
    [
      production && !publicUrl.startsWith('https:'),
      `PUBLIC_URL is ${publicUrl}: passwords, API keys and sessions are sent unencrypted`,
      'Put a TLS proxy before the server (docs/guides/operations/install.md) and set its https URL.',
    ],
    [logLevel === 'silent', 'LOG_LEVEL is silent: errors are not logged', 'Set LOG_LEVEL=info.'],
    [
      billing.provider === 'manual' && billing.autopay,
      'BILLING_DEV_AUTOPAY is on: every order succeeds without payment',
      'Turn it off before other people can reach the server.',
    ],
    [
      stripeMode !== undefined && (stripeMode === 'test') === production,
      `STRIPE_SECRET_KEY is a ${stripeMode} key, but NODE_ENV is ${production ? '' : 'not '}production`,
      production
        ? 'Set the live key: nobody can pay with a test key.'
        : 'Set a test key: a live key charges real cards.',
    ],
  ]
  return rules.flatMap(([applies, message, fix]) => (applies ? [warning(message, fix)] : []))
}
