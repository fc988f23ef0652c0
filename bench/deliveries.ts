import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createMessageWorker } from '#actions/alerts/message-worker.ts'
import type { SendDeps } from '#actions/alerts/send-message.ts'
import { readConfig } from '#config.ts'
import { openLog } from '#log.ts'
import { openWebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { formatAlertBody } from '#rules/alerts/alert-message.ts'
import { generateSigningSecret, signedHeaders } from '#rules/alerts/webhook-signature.ts'
import { createSecretBox } from '#rules/primitives/secret-box.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { interleave, median, middle, ratio, type Sample } from './measure.ts'
import { formatShort, percent, type Row } from './table.ts'

/** Measures messages per second, and how long other messages wait while many are sent. */
export async function benchDeliveries(): Promise<Row[]> {
  const { ports, close } = await startReceivers(HOSTS)
  try {
    return [...(await rates(ports)), await pauses(ports)]
  } finally {
    await close()
  }
}

/** Sends messages to many hosts through the whole path, and compares them with bare POSTs of the same bytes. */
async function rates(ports: readonly number[]): Promise<Row[]> {
  const rounds = await interleave(ROUNDS, {
    ours: () => sendAll({ ports, watches: WEBHOOKS, messages: MESSAGES }),
    bare: () => postAll(ports),
  })
  const [ours, bare] = [middle(rounds, 'ours', 'rate'), middle(rounds, 'bare', 'rate')]
  const [cpu, bareCpu] = [middle(rounds, 'ours', 'cpu'), middle(rounds, 'bare', 'cpu')]
  return [
    {
      figure: `messages per second to ${HOSTS} hosts of ${WEBHOOKS} webhooks (${formatShort(MESSAGES)} messages)`,
      ours: `${formatShort(ours)}/s`,
      limit: `${formatShort(bare)}/s bare POSTs`,
      toLimit: percent(ratio(rounds, 'rate', 'ours', 'bare')),
      target: `${RATE_MIN}/s`,
      met: ours >= RATE_MIN,
    },
    {
      figure: 'CPU per message, all threads',
      ours: `${formatShort(cpu)} µs`,
      limit: `${formatShort(bareCpu)} µs per bare POST`,
    },
  ]
}

/** Measures how long the event loop is blocked by a backlog for one host. */
async function pauses([port = 0]: readonly number[]): Promise<Row> {
  const backlog = { ports: [port], messages: BACKLOG, seconds: 5 }
  const rounds = await interleave(ROUNDS, {
    idle: () => idleFor(1),
    one: () => sendAll({ ...backlog, watches: 1 }),
    many: () => sendAll({ ...backlog, watches: BACKLOG }),
  })
  const of = (subject: string, figure: string) =>
    (rounds.get(subject) ?? []).map((sample) => sample[figure] ?? Number.NaN)
  const longest = (subject: string) => formatShort(median(of(subject, 'longest')))
  const summarize = (subject: string) =>
    `${longest(subject)} ms (p99 ${formatShort(middle(rounds, subject, 'p99'))} ms, ${formatShort(
      middle(rounds, subject, 'rate'),
    )}/s)`
  return {
    figure: `longest pause with ${formatShort(BACKLOG)} messages for one host, of one webhook; of as many webhooks`,
    ours: `${summarize('one')}; ${summarize('many')}`,
    limit: `${longest('idle')} ms idle`,
  }
}

type Task = {
  ports: readonly number[]
  watches: number
  messages: number
  /** Stops before all messages are sent. */
  seconds?: number
}

async function sendAll({ ports, watches, messages, seconds = 600 }: Task): Promise<Sample> {
  const folder = join(import.meta.dir, 'run/deliveries')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  prepareFiles(folder)
  const db = openDatabase(join(folder, 'ledger.db'))
  const ledger = openLedgerOn(db)
  const secrets = createSecretBox('the secret of the bench', randomBytes)
  fill(db, secrets, { ports, watches, messages })
  const deps: SendDeps = {
    config: readConfig({}),
    ledger,
    log: openLog('error'),
    mailer: undefined,
    now: () => new Date(),
    secrets,
    webhookClient: openWebhookClient({ network: 'loopback-ok' }),
  }
  const left = db
    .prepare<[], number>("SELECT count(*) FROM alert_messages WHERE state = 'pending'")
    .pluck()
  const sending = createMessageWorker(deps)
  const turns = watchTurns()
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  const end = began + seconds * 1_000
  let pumpedAt = Number.NEGATIVE_INFINITY
  while (performance.now() < end && (left.get() ?? 0) > 0) {
    if (performance.now() - pumpedAt >= 1_000) {
      pumpedAt = performance.now()
      await sending.tick()
    }
    await Bun.sleep(25)
  }
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  const sample = turns.end()
  const sent = messages - (left.get() ?? 0)
  await sending.close()
  ledger.close()
  rmSync(folder, { recursive: true })
  return { ...sample, rate: (sent / took) * 1_000, cpu: (user + system) / sent }
}

/** Adds rules that alternate between the hosts, a few per account, and messages that alternate between the rules. */
function fill(db: Db, secrets: SendDeps['secrets'], { ports, watches, messages }: Task): void {
  const addAccount = db.prepare(
    `INSERT OR IGNORE INTO accounts (id, email, password_hash, tier, created_at)
     VALUES (?, ?, 'none', 'pro', 0)`,
  )
  const addChannel = db.prepare(
    `INSERT INTO alert_channels (id, account_id, kind, url, secret, host, confirmed_at, created_at, updated_at)
     VALUES (?, ?, 'webhook', ?, ?, ?, 0, 0, 0)`,
  )
  const addRule = db.prepare(
    `INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, created_at, updated_at)
     VALUES (?, ?, ?, 1, 'above', 500, 0, 0)`,
  )
  const add = db.prepare(
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at)
     VALUES (?, ?, ?, ?, 'webhook', 'alert', ?, 'pending', 0, 0)`,
  )
  const secret = generateSigningSecret(randomBytes)
  const hostAt = (watch: number) => `127.0.0.1:${ports[watch % ports.length]}`
  const accountAt = (watch: number) => 1 + Math.floor(watch / WEBHOOKS_AN_ACCOUNT)
  inTransaction(db, () => {
    for (let watch = 0; watch < watches; watch++) {
      const [id, account] = [`wh_${watch}`, accountAt(watch)]
      addAccount.run(account, `${account}@bench.example`)
      const host = hostAt(watch)
      addChannel.run(id, account, `http://${host}/alerts`, secrets.seal(secret, id), host)
      addRule.run(id, account, id)
    }
    for (let message = 0; message < messages; message++) {
      const watch = message % watches
      add.run(`msg_${message}`, `wh_${watch}`, accountAt(watch), hostAt(watch), BODY)
    }
  })
}

/** Sends the same bytes with the same concurrency, already signed and without a ledger. */
async function postAll(ports: readonly number[]): Promise<Sample> {
  const signed = signedHeaders([generateSigningSecret(randomBytes)], {
    id: 'msg_0',
    at: new Date(),
    body: BODY,
  })
  const headers = { ...signed, 'content-type': 'application/json' }
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  let next = 0
  const post = async () => {
    for (let at = next++; at < MESSAGES; at = next++) {
      const url = `http://127.0.0.1:${ports[at % ports.length]}/alerts`
      const response = await fetch(url, { method: 'POST', headers, body: BODY, keepalive: false })
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, post))
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  return { rate: (MESSAGES / took) * 1_000, cpu: (user + system) / MESSAGES }
}

/** Records the milliseconds of each turn of the event loop until it is stopped. */
function watchTurns() {
  const took: number[] = []
  let isOver = false
  let last = performance.now()
  const turn = () => {
    const now = performance.now()
    took.push(now - last)
    last = now
    if (!isOver) setTimeout(turn, 0)
  }
  setTimeout(turn, 0)
  return {
    end(): Sample {
      isOver = true
      took.sort((a, b) => a - b)
      return { longest: took.at(-1) ?? 0, p99: took[Math.floor(took.length * 0.99)] ?? 0 }
    },
  }
}

async function idleFor(seconds: number): Promise<Sample> {
  const turns = watchTurns()
  await Bun.sleep(seconds * 1_000)
  return turns.end()
}

/** Starts receivers in a separate process. */
async function startReceivers(count: number) {
  const script = join(import.meta.dir, 'processes/receiver.ts')
  const child = Bun.spawn(['bun', script, String(count)], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  const ports: number[] = JSON.parse(new TextDecoder().decode(value))
  return {
    ports,
    async close(): Promise<void> {
      child.kill()
      await child.exited
    },
  }
}

const BODY = formatAlertBody(
  { card_id: 1, card_name: 'Tide Turtle', condition: 'above', threshold: 500, price: 600 },
  new Date(0),
)
const HOSTS = 32
const WEBHOOKS = 1_000
const MESSAGES = 10_000
const WEBHOOKS_AN_ACCOUNT = 5
const AT_ONCE = 64
const BACKLOG = 10_000
const ROUNDS = 3
const RATE_MIN = 200
