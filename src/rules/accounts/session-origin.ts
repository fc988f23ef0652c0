import { listNetworks } from './client-networks.ts'

/** Origin of a session, reduced to the facts by which its owner can recognize it. */
export type SessionOrigin = {
  /** Browser and system in words, without versions. */
  browser: string
  /** Network of the client, without the part that identifies one machine. */
  network: string
}

/** Describes the client that logs in. Its address and complete `User-Agent` are not stored. */
export function describeOrigin(address: string, userAgent: string): SessionOrigin {
  const networks = listNetworks(address)
  const site = networks.find(({ width }) => width === 'site') ?? networks[0]
  return { browser: describeBrowser(userAgent), network: site.key }
}

/** Names the browser and the system of a `User-Agent`: "Firefox on Windows". */
export function describeBrowser(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent)
  const system = findName(SYSTEMS, userAgent)
  if (browser === undefined) return system === undefined ? UNKNOWN_BROWSER : `Program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Shown for clients that do not name a known browser. */
const UNKNOWN_BROWSER = 'Unknown program'

type NamePattern = readonly [name: string, pattern: RegExp]

function findName(known: readonly NamePattern[], userAgent: string): string | undefined {
  return known.find(([, pattern]) => pattern.test(userAgent))?.[0]
}

/** In this order, because most browsers also claim to be an older one. */
const BROWSERS: readonly NamePattern[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*Safari\//],
  ['curl', /^curl\//],
]

/** Android and ChromeOS also claim to be Linux, and an iPad may claim to be a Mac. */
const SYSTEMS: readonly NamePattern[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]
