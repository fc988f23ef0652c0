// The operator's page in a real browser, on a server with its jobs and a mirror of its own.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import { readConfig } from '#config.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import {
  BROWSER_MISSING,
  type BrowserUser,
  openBrowserUser,
  SCREEN_SIZES,
  SCREENS,
} from '../../support/browser.ts'
import { createCountingWorker } from '../../support/counting-worker.ts'
import { findFreePort } from '../../support/free-port.ts'
import { EVERY_PATH, startMirror } from '../../support/sync/mirror-server.ts'
import { smallUpstream } from '../../support/sync/upstream-fixture.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

setDefaultTimeout(60_000)

const PEOPLE = [
  { email: 'operator@cards.example', password: 'long enough', tier: 'free', address: undefined },
  { email: 'reader@cards.example', password: 'long enough', tier: 'free', address: undefined },
] as const

/** A server as it runs, whose mirror is on this machine and whose first sync has ended. */
async function openServer() {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-operator-'))
  const upstream = smallUpstream(new Date().toISOString())
  const mirror = startMirror(upstream.files)
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const config = readConfig({
    DATA_DIR: folder,
    PUBLIC_URL: url,
    UPSTREAM_URL: mirror.url,
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    BACKUP_DIR: 'off',
    BULK_FILES: 'off',
  })
  const deps = openDeps(config)
  const [operator, reader] = PEOPLE
  for (const one of PEOPLE) await registerAccount(deps, createPasswordHasher(), one)
  await setOperator(deps, { email: operator.email, is_operator: true })
  const { app, close } = createApp(deps)
  app.listen({ hostname: '127.0.0.1', port, idleTimeout: 30 })
  const workers = createWorkers(deps)
  const jobs = startJobs(deps, {
    ...workers,
    pictures: createCountingWorker<IndexReport>(undefined).thread,
    bulk: createCountingWorker<BulkReport>(undefined).thread,
  })
  while (workers.sync.isRunning()) await Bun.sleep(5)

  async function login(
    { context }: BrowserUser,
    { email, password }: typeof operator | typeof reader,
  ) {
    await context.request.post('/v1/auth/login', { data: { email, password } })
    await context.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
  }
  return {
    url,
    deps,
    mirror,
    publish: () => upstream.publish(1),
    intake: workers.sync,
    asOperator: (browser: BrowserUser) => login(browser, operator),
    asReader: (browser: BrowserUser) => login(browser, reader),
    async close(): Promise<void> {
      await jobs.close()
      await app.server?.stop(true)
      await close()
      await closeDeps(deps)
      mirror.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(BROWSER_MISSING !== undefined)('the operator’s page', () => {
  let server: Awaited<ReturnType<typeof openServer>>
  beforeAll(async () => {
    server = await openServer()
  })
  afterAll(() => server.close())

  test.each(SCREEN_SIZES.map((sight) => [sight.name, sight] as const))(
    'says that all is well, and starts a sync and tells its end: %s',
    async (_, sight) => {
      const browser = await openBrowserUser(server.url, sight)
      const { page, faults, close, look } = browser
      await server.asOperator(browser)
      await page.goto('/account')
      await page.getByRole('link', { name: 'Operator' }).click()
      await page.getByRole('heading', { name: 'All is well' }).waitFor()
      await page.getByText('2 games, all fresh').waitFor()
      expect(await look('operator')).toEqual([])

      server.publish()
      server.mirror.fault(EVERY_PATH, { delayMs: 150 })
      await page.getByRole('button', { name: 'Sync now' }).dblclick()
      await page.getByText('A sync is running.').waitFor()
      expect(await look('operator syncing')).toEqual([])
      server.mirror.recover()
      await page.getByText('Your sync has ended: complete.').waitFor()
      expect(await look('operator synced')).toEqual([])
      // Nothing is wider than the page.
      expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      expect(faults).toEqual([])
      await close()
    },
  )

  test('refuses a second sync in words, and asks before it fetches everything again', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, takeScreenshot, close, look } = browser
    await server.asOperator(browser)
    await page.goto('/operator')
    const now = page.getByRole('button', { name: 'Sync now' })
    await now.waitFor()
    server.mirror.fault(EVERY_PATH, { delayMs: 300 })
    server.deps.syncTrigger.start({ force: true })
    await now.click()
    await page.getByText('A sync or an import is running. Wait for its end.').waitFor()
    await takeScreenshot('operator refused')
    server.mirror.recover()
    while (server.intake.isRunning()) await Bun.sleep(5)

    await page.getByLabel('What to sync').selectOption('Pokemon')
    await page.getByRole('button', { name: 'Fetch everything again…' }).click()
    const question = page.getByRole('dialog', { name: 'Fetch everything again?' })
    await question.waitFor()
    expect(await look('operator force')).toEqual([])
    await question.getByRole('button', { name: 'Fetch it' }).click()
    await page.getByText('Your sync has ended: complete.').waitFor()
    await page.getByText('1 game · 2 sets read').waitFor()
    await close()
  })

  test('does not wait for ever for a sync that a restart stopped', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, faults, close } = browser
    await server.asOperator(browser)
    let started = '2026-11-01T00:00:00.000Z'
    await page.route('**/v1/operator/status', async (route) => {
      const reply = await route.fetch()
      const told = await reply.json()
      const { data } = told
      data.started_at = started
      data.backups = data.sync.last = data.sync.upstream = null
      data.disk = { ...data.disk, free_bytes: null, total_bytes: null }
      data.catalog.published_at = null
      await route.fulfill({ json: told })
    })
    await page.route('**/v1/operator/sync', (route) =>
      route.fulfill({ status: 202, json: { data: { started_at: started } } }),
    )
    await page.goto('/operator')
    await page.getByText('No sync has run yet.').waitFor()
    await page.getByText('No mirror is set.').waitFor()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByText('The sync has started.').waitFor()
    started = '2026-11-01T00:01:00.000Z'
    await page.getByText('Your sync was stopped before its end.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('says what is wrong and where, and keeps it while the server cannot be asked', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, close, look } = browser
    await server.asOperator(browser)
    server.mirror.fault(EVERY_PATH, { status: 404 })
    server.deps.syncTrigger.start({ force: true })
    while (server.intake.isRunning()) await Bun.sleep(5)
    await page.goto('/operator')
    await page.getByRole('heading', { name: 'To be mended: Prices' }).waitFor()
    await page.getByText('The last sync failed').waitFor()
    await page.getByRole('heading', { name: 'Last errors' }).waitFor()
    expect(await look('operator failed')).toEqual([])

    await page.route('**/v1/operator/status', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '30' },
        json: { error: { code: 'UNAVAILABLE', message: 'The service is stopping.' } },
      }),
    )
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('The service is stopping.').waitFor()
    await page.getByText('The last sync failed').waitFor()
    expect(await look('operator unreachable')).toEqual([])
    await page.unroute('**/v1/operator/status')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The service is stopping.').waitFor({ state: 'detached' })
    server.mirror.recover()
    await close()
  })

  test('is for operators: others see how to become one, and visitors where to log in', async () => {
    const browser = await openBrowserUser(server.url, SCREENS[0])
    const { page, faults, audit, close, look } = browser
    await page.goto('/operator')
    await page.getByRole('link', { name: 'Log in or register' }).waitFor()
    expect(await audit()).toEqual([])
    await server.asReader(browser)
    await page.goto('/operator')
    await page.getByRole('heading', { name: 'This is for operators' }).waitFor()
    await page.getByText('admin account operator --email reader@cards.example').waitFor()
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0)
    expect(await look('operator not yours')).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})
