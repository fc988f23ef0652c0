import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { logIn } from '#actions/accounts/log-in.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { createSecretBox } from '#rules/primitives/secret-box.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import type { BenchData } from './data.ts'
import { interleave, median, middle, percentile, type Sample } from './measure.ts'
import { requireServer } from './prices.ts'
import { type Server, startServer, withServers } from './servers.ts'
import { formatShort, percent, type Row } from './table.ts'

/** Measures price requests during logins, and whether the duration of a login reveals anything. */
export async function benchLogins(data: BenchData): Promise<Row[]> {
  return [...(await stalls(data)), await timing(data)]
}

/** Requests prices one after another, while 32 people log in at once. */
async function stalls({ cardIds, keys, dataDir }: BenchData): Promise<Row[]> {
  prepareFiles(dataDir)
  const emails = await openAccounts(dataDir)
  return withServers([startServer(dataDir)], async ([server]) => {
    const ours = requireServer(server)
    const request = (at: number) => {
      const path = `/v1/cards/${cardIds[at % cardIds.length]}/prices`
      return fetch(ours.url + path, { headers: { 'x-api-key': keys[at % keys.length] ?? '' } })
    }
    let logins = 0
    const rounds = await interleave(5, {
      idle: () => requestUntil(request, Bun.sleep(SECONDS * 1000)),
      busy: () =>
        requestUntil(
          request,
          logInFor(ours, emails).then((done) => {
            logins += done
          }),
        ),
    })
    const of = (subject: string, figure: string) =>
      (rounds.get(subject) ?? []).map((sample) => sample[figure] ?? Number.NaN)
    const [idle, busy] = [middle(rounds, 'idle', 'p99'), middle(rounds, 'busy', 'p99')]
    const longest = Math.max(...of('busy', 'longest'))
    const rate = formatShort(logins / (SECONDS * of('busy', 'longest').length))
    return [
      {
        figure: `prices while ${AT_ONCE} log in at once (${rate} logins/s), p99`,
        ours: `${formatShort(busy)} ms (median ${formatShort(middle(rounds, 'busy', 'p50'))} ms)`,
        limit: `${formatShort(idle)} ms idle (median ${formatShort(middle(rounds, 'idle', 'p50'))} ms)`,
        target: `${STALL_MS} ms`,
        met: busy <= STALL_MS,
      },
      {
        figure: 'the longest of them, in all rounds',
        ours: `${formatShort(longest)} ms`,
        limit: `${formatShort(Math.max(...of('idle', 'longest')))} ms idle`,
      },
    ]
  })
}

async function openAccounts(dataDir: string): Promise<string[]> {
  const ledger = openLedger(dataDir)
  const deps = { ledger, config: readConfig({}), now: () => new Date() }
  const passwords = createPasswordHasher()
  const run = Date.now().toString(36)
  const emails = Array.from({ length: AT_ONCE }, (_, index) => `${run}-${index}@bench.example`)
  await Promise.all(
    emails.map((email) =>
      registerAccount(deps, passwords, {
        email,
        password: PASSWORD,
        tier: 'free',
        address: undefined,
      }),
    ),
  )
  ledger.close()
  return emails
}

/** Repeats a request until a promise settles. @returns the latencies in milliseconds */
export async function requestUntil(
  request: (at: number) => Promise<Response>,
  end: Promise<unknown>,
): Promise<Sample> {
  const took: number[] = []
  let isOver = false
  const ending = end.finally(() => {
    isOver = true
  })
  for (let at = 0; !isOver; at++) {
    const started = performance.now()
    const response = await request(at)
    await response.arrayBuffer()
    took.push(performance.now() - started)
    if (!response.ok) throw new Error(`a price request returned ${response.status}`)
  }
  await ending
  return { p50: median(took), p99: percentile(took, 99), longest: Math.max(...took) }
}

/** Logs 32 people in, each again as soon as the login is done. */
async function logInFor({ url }: Server, emails: readonly string[]): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let done = 0
  await Promise.all(
    emails.map(async (email) => {
      while (performance.now() < until) {
        const response = await fetch(`${url}/v1/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: PASSWORD }),
        })
        await response.arrayBuffer()
        if (!response.ok) throw new Error(`a login returned ${response.status}`)
        done++
      }
    }),
  )
  return done
}

/** Sends wrong passwords for an existing and for an unknown address, one at a time. */
async function timing({ scratch }: BenchData): Promise<Row> {
  const folder = join(scratch, 'logins')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  prepareFiles(folder)
  const [known = ''] = await openAccounts(folder)
  const ledger = openLedger(folder)
  const config = readConfig({
    LOGIN_FAILURES_PER_EMAIL_AND_IP: '1000000',
    LOGIN_FAILURES_PER_EMAIL: '0',
    LOGIN_FAILURES_PER_IP: '1000000',
  })
  const secrets = createSecretBox(randomBytes(32).toString('hex'), randomBytes)
  const deps = { ledger, config, secrets, now: () => new Date() }
  const passwords = createPasswordHasher()
  const fail = (email: string) => async (): Promise<Sample> => {
    const login = { email, password: 'a wrong password', address: '192.0.2.7', session: undefined }
    const [cpu, started] = [process.cpuUsage(), performance.now()]
    await logIn(deps, passwords, login).catch(() => {})
    const took = performance.now() - started
    const { user, system } = process.cpuUsage(cpu)
    return { wall: took, cpu: (user + system) / 1000 }
  }
  const unknown = 'nobody-has-this@bench.example'
  const rounds = await interleave(TRIES, { known: fail(known), unknown: fail(unknown) })
  ledger.close()
  rmSync(folder, { recursive: true })
  const of = (figure: string) => [
    middle(rounds, 'known', figure),
    middle(rounds, 'unknown', figure),
  ]
  const apart = ([known = 0, unknown = 0]: number[]) => Math.abs(known / unknown - 1)
  const [wall, cpu] = [of('wall'), of('cpu')]
  const summarize = (figure: number[]) =>
    `${figure.map(formatShort).join(' and ')} ms, ${percent(apart(figure))} apart`
  return {
    figure: `a wrong password for a known and for an unknown address, ${TRIES} tries each`,
    ours: `${summarize(wall)} (CPU ${summarize(cpu)})`,
    target: 'within 5 %',
    met: apart(wall) <= 0.05 && apart(cpu) <= 0.05,
  }
}

const AT_ONCE = 32
const SECONDS = 4
const STALL_MS = 20
const TRIES = 200
const PASSWORD = 'a password of the bench'
