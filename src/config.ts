import { resolve } from 'node:path'
import type { AttemptLimits } from '#rules/attempts.ts'
import { ACCESS_POLICIES, type AccessPolicy } from '#rules/tiers.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Config = {
  host: string
  port: number
  /** The address that clients use, without a slash at its end. */
  publicUrl: string
  /** Both database files and everything else that this service keeps. */
  dataDir: string
  /** Root of the mirror to sync from; undefined: the jobs that need it stay off. */
  upstreamUrl: string | undefined
  syncOnStart: boolean
  accessPolicy: AccessPolicy
  /** How many proxies of the operator's own stand before the service and name the client. */
  trustedProxies: number
  /** Other origins whose pages may use the account endpoints with a session. */
  corsOrigins: readonly string[]
  attemptLimits: AttemptLimits
  /** Whether the cards' pictures are fetched and indexed, so that photos find them. */
  indexPictures: boolean
  /** Whether files of the whole catalog are made whenever it changes. */
  buildBulkFiles: boolean
  /** Threads that read photos; 0: none are read. */
  identifyWorkers: number
  /** Countries (ISO 3166, two capital letters) in which no photos are read. */
  blockedCountries: readonly string[]
  /** The header in which the operator's proxy tells a client's country, in small letters. */
  countryHeader: string
  logLevel: LogLevel
  production: boolean
}

/** Names of the settings and what they mean: `.env.example` says the same to people. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads every setting. All faults are reported at once, each in words that say what to do.
 *
 * @throws Error whose message lists the faults, one a line
 */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = []
  const fault = (text: string) => void faults.push(text)

  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535, fault)
  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port,
    publicUrl: address(env, 'PUBLIC_URL', ['http:', 'https:'], fault) ?? `http://localhost:${port}`,
    dataDir: resolve(env.DATA_DIR || './data/run'),
    upstreamUrl: address(env, 'UPSTREAM_URL', ['https:', 'http:', 'file:'], fault),
    syncOnStart: flag(env, 'SYNC_ON_START', fault),
    accessPolicy: oneOf(env, 'ACCESS_POLICY', ACCESS_POLICIES, 'five-tier', fault),
    trustedProxies: wholeNumber(env, 'TRUST_PROXY', 0, 0, 10, fault),
    corsOrigins: origins(env, 'CORS_ORIGINS', fault),
    attemptLimits: {
      loginEmailPlace: wholeNumber(env, 'LOGIN_FAILURES_PER_EMAIL_AND_IP', 10, 0, MANY, fault),
      loginEmail: wholeNumber(env, 'LOGIN_FAILURES_PER_EMAIL', 30, 0, MANY, fault),
      loginPlace: wholeNumber(env, 'LOGIN_FAILURES_PER_IP', 100, 0, MANY, fault),
      registerPlace: wholeNumber(env, 'REGISTRATIONS_PER_IP', 200, 0, MANY, fault),
    },
    indexPictures: flagUnlessOff(env, 'INDEX_PICTURES', fault),
    buildBulkFiles: flagUnlessOff(env, 'BULK_FILES', fault),
    identifyWorkers: wholeNumber(env, 'IDENTIFY_WORKERS', 1, 0, 16, fault),
    blockedCountries: countries(env, 'IDENTIFY_BLOCKED_COUNTRIES', fault),
    countryHeader: headerName(env, 'IDENTIFY_COUNTRY_HEADER', 'cf-ipcountry', fault),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info', fault),
    production: env.NODE_ENV === 'production',
  }
  if (config.blockedCountries.length > 0 && config.trustedProxies === 0) {
    fault(
      'IDENTIFY_BLOCKED_COUNTRIES needs TRUST_PROXY: only a proxy of your own can tell the country.',
    )
  }
  if (faults.length > 0) throw new Error(`The settings are not right:\n- ${faults.join('\n- ')}`)
  return config
}

const MANY = 1_000_000

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Report = (fault: string) => void

function wholeNumber(
  env: Environment,
  name: string,
  otherwise: number,
  min: number,
  max: number,
  fault: Report,
): number {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  fault(`${name} is "${text}": give a whole number from ${min} to ${max}.`)
  return otherwise
}

function flag(env: Environment, name: string, fault: Report): boolean {
  const text = env[name] ?? ''
  if (['', '0', 'false', 'off', 'no'].includes(text.toLowerCase())) return false
  if (['1', 'true', 'on', 'yes'].includes(text.toLowerCase())) return true
  fault(`${name} is "${text}": give on or off.`)
  return false
}

function flagUnlessOff(env: Environment, name: string, fault: Report): boolean {
  return flag({ ...env, [name]: env[name] || 'on' }, name, fault)
}

function oneOf<const Words extends readonly string[]>(
  env: Environment,
  name: string,
  words: Words,
  otherwise: Words[number],
  fault: Report,
): Words[number] {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const found = words.find((word) => word === text)
  if (found === undefined) fault(`${name} is "${text}": give one of ${words.join(', ')}.`)
  return found ?? otherwise
}

function address(
  env: Environment,
  name: string,
  protocols: readonly string[],
  fault: Report,
): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && protocols.includes(url.protocol)) return text.replace(/\/+$/, '')
  const kinds = protocols.map((protocol) => `${protocol}//…`).join(' or ')
  fault(`${name} is "${text}": give an address such as ${kinds}.`)
  return undefined
}

function origins(env: Environment, name: string, fault: Report): string[] {
  const listed = (env[name] ?? '').split(',').map((origin) => origin.trim())
  return listed.filter(Boolean).filter((origin) => {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    if (!isOrigin) fault(`${name} has "${origin}": give origins such as https://shop.example.`)
    return isOrigin
  })
}

function countries(env: Environment, name: string, fault: Report): string[] {
  const listed = (env[name] ?? '').split(',').map((code) => code.trim().toUpperCase())
  return listed.filter(Boolean).filter((code) => {
    const isCode = /^[A-Z]{2}$/.test(code)
    if (!isCode) fault(`${name} has "${code}": give codes of two letters such as FR,DE.`)
    return isCode
  })
}

function headerName(env: Environment, name: string, otherwise: string, fault: Report): string {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  if (/^[a-z0-9-]+$/i.test(text)) return text.toLowerCase()
  fault(`${name} is "${text}": give the name of a header, such as CF-IPCountry.`)
  return otherwise
}
