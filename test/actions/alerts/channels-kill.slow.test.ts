// Messages of channels under SIGKILL: real process, file and receivers.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addChannel, type ChannelInput } from '#actions/alerts/manage-channels.ts'
import { readConfig } from '#config.ts'
import { type Deps, openDeps } from '#deps.ts'
import { openLog } from '#log.ts'
import type { MessageTask } from '../../support/alerts/message-process.ts'
import { startPushReceiver } from '../../support/alerts/push-receiver.ts'
import { startReceiver } from '../../support/alerts/receivers.ts'
import { killRepeatedly, sizedFor, startKillable } from '../../support/chaos.ts'
import { startMailServer } from '../../support/mail/mail-server.ts'
import { randomFrom, SEED } from '../../support/random.ts'
import { createLedgerFile } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const SENDER = 'test/support/alerts/message-process.ts'
const KILLS = sizedFor(3, 60)
const ALERTS_A_KILL = 6

const random = randomFrom(SEED)
const closers: (() => unknown)[] = []
let deps: Deps
let env: Record<string, string>
let account_id: number

const chat = startReceiver({ behave: () => (random() < 0.2 ? 'accept then fail' : 'ok') })
const push = await startPushReceiver()
const mail = await startMailServer({ behave: () => (random() < 0.2 ? { recipient: 450 } : 'ok') })
closers.push(chat.stop, push.stop, mail.close)

beforeAll(async () => {
  const file = await createLedgerFile()
  env = {
    DATA_DIR: file.folder,
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    BACKUP_DIR: 'off',
    SMTP_URL: mail.url,
    MAIL_FROM: 'cards@shop.example',
    APP_SECRET: 's'.repeat(32),
  }
  deps = await openDeps(readConfig(env), openLog('silent'))
  closers.push(
    () => deps.catalog.close(),
    () => deps.ledger.close(),
    file.close,
  )
  account_id = file.accounts.free
})
afterAll(async () => {
  for (const close of closers) await close()
})

test(`each alert arrives on each channel, whatever is killed (seed ${SEED})`, async () => {
  const owner = { account_id, tier: 'free' } as const
  const price = { card_id: 7, printing: null, currency: null, source: null }
  const alert = { ...price, condition: 'below', threshold: 500 } as const
  await deps.ledger.priceAlerts.create({ id: 'al_1', account_id, ...alert }, 9, {
    now: deps.now(),
    address: undefined,
  })
  const add = (input: ChannelInput) => addChannel(deps, owner, input, '192.0.2.1')
  const slack = await add({ kind: 'slack', address: `${chat.url}/x` })
  const ada = await add({ kind: 'email', address: 'ada@mail.example' })
  await add({ kind: 'push', ...push.subscription })
  await deps.ledger.channels.confirm(ada.id, deps.now())

  const ids: string[] = []
  await killRepeatedly({
    isOver: (kill) => kill === KILLS,
    start: startSender,
    async moment() {
      for (let index = 0; index < ALERTS_A_KILL; index++) ids.push(await relay())
      // Killed while it sends, once this many messages have arrived.
      const goal = 1 + Math.floor(random() * ALERTS_A_KILL)
      const before = chat.received.length
      await waitFor(() => chat.received.length >= before + goal)
    },
    check() {},
  })
  const sender = startSender()
  const inChat = () => chat.received.filter(({ isKept }) => isKept).map(({ body }) => findId(body))
  const inMail = () => mail.received.map(({ headers }) => findId(headers.get('message-id') ?? ''))
  const inPush = () => push.received.map(({ headers }) => `msg_${headers.get('topic')}`)
  for (const list of [inChat, inMail, inPush]) {
    await waitFor(() => ids.every((id) => list().includes(id)))
  }

  await deps.ledger.channels.unsubscribe(slack.id, deps.now())
  const later = [await relay(), await relay()]
  await waitFor(() => later.every((id) => inMail().includes(id) && inPush().includes(id)))
  expect(later.filter((id) => inChat().includes(id))).toEqual([])
  await sender.kill()
  expect(ids).toHaveLength(KILLS * ALERTS_A_KILL)
})

const startSender = () =>
  startKillable(SENDER, { env, leaseMs: 400, waitMs: 20 } satisfies MessageTask)

/** @returns the id of the message */
async function relay(): Promise<string> {
  const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
  const facts = {
    card_id: 7,
    card_name: 'Card',
    condition: 'below',
    threshold: 5,
    current_price: 4,
  }
  const alert = { id, rule_id: 'al_1', body: JSON.stringify(facts), created_at: Date.now() }
  await deps.ledger.relayedAlerts.relay([alert], new Date())
  return id
}

function findId(text: string): string {
  return /msg_[0-9a-f]{32}/.exec(text)?.[0] ?? ''
}
