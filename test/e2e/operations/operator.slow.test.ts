// Browser tests of the operator page, on a server with its jobs and a local mirror.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { backUpOnSchedule } from '#actions/operations/back-up.ts'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import { readConfig } from '#config.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import {
  type BrowserUser,
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { createCountingWorker } from '../../support/counting-worker.ts'
import { findFreePort } from '../../support/free-port.ts'
import { EVERY_PATH, startMirror } from '../../support/sync/mirror-server.ts'
import { smallUpstream } from '../../support/sync/upstream-fixture.ts'

const PEOPLE = [
  { email: 'operator@cards.example', password: 'long enough', tier: 'free', address: undefined },
  { email: 'reader@cards.example', password: 'long enough', tier: 'free', address: undefined },
] as const

/** Starts a server with a local mirror and waits for its first sync. */
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
    BACKUP_DIR: join(folder, 'backups'),
    BULK_FILES: 'off',
  })
  const deps = await openDeps(config)
  await deps.liveConfig.store({ isSetUp: true }, new Date())
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
  if (config.backups === undefined) throw new Error('BACKUP_DIR is set above')
  await backUpOnSchedule({ dataDir: folder, log: deps.log, now: deps.now }, config.backups)

  async function login(
    { context, page }: BrowserUser,
    { email, password }: typeof operator | typeof reader,
  ) {
    await context.request.post(`${url}/v1/auth/login`, { data: { email, password } })
    await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
  }
  return {
    url,
    deps,
    mirror,
    // Hours instead of days: a publish time more than a day in the future would be rejected.
    publish: () => upstream.publish(1 / 24),
    syncWorker: workers.sync,
    /** Holds all responses of the mirror. @returns a function that releases them */
    holdMirror(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      mirror.fault(EVERY_PATH, { until: promise })
      return () => {
        mirror.recover()
        resolve()
      }
    },
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

describeInBrowser('the operator’s page', () => {
  let server: Awaited<ReturnType<typeof openServer>>
  beforeAll(async () => {
    server = await openServer()
  })
  afterAll(() => server.close())

  testEachScreen(
    'shows that all is well, starts a sync and shows its result: %s',
    async (_, screen) => {
      const browser = await openBrowserUser(server.url, screen)
      const { page, closeClean, inspect } = browser
      await server.asOperator(browser)
      await page.goto('/account')
      await page.getByRole('link', { name: 'Operator' }).click()
      await page.getByRole('heading', { name: 'All systems operational' }).waitFor()
      await page.getByText('2 games, all up to date').waitFor()
      expect(await inspect('operator')).toEqual([])

      server.publish()
      const releaseMirror = server.holdMirror()
      await page.getByRole('button', { name: 'Sync now' }).dblclick()
      await page.getByText('A sync is running.').waitFor()
      expect(await inspect('operator syncing')).toEqual([])
      releaseMirror()
      await page.getByText('Your sync: complete.').waitFor()
      expect(await inspect('operator synced')).toEqual([])
      for (const width of [screen.width, 768]) {
        await page.setViewportSize({ width, height: screen.height })
        // No horizontal overflow.
        expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      }
      await closeClean()
    },
  )

  test('is linked from the empty catalog for its operator', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, close, inspect } = browser
    const meta = { total: 0, page: 1, per_page: 50, has_more: false }
    const games = /\/v1\/games(\?|$)/
    await page.route(games, (route) => route.fulfill({ json: { data: [], meta } }))
    await page.goto('/')
    await page.getByText('They appear after the first sync of this server').waitFor()
    await server.asOperator(browser)
    await page.goto('/')
    await page.getByText('No games yet').waitFor()
    await expectVisible(page.getByText(/^Complete: \d+ games?, .* read\.$/))
    expect(await inspect('empty catalog')).toEqual([])
    // The first game appears by itself.
    await page.unroute(games)
    await expectVisible(page.getByRole('link', { name: 'Pokemon' }).first())
    await close()
  })

  test('rejects a second sync, and asks for confirmation before a full sync', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, takeScreenshot, close, inspect } = browser
    await server.asOperator(browser)
    await page.goto('/operator')
    const now = page.getByRole('button', { name: 'Sync now' })
    await now.waitFor()
    const releaseMirror = server.holdMirror()
    server.deps.triggers.sync.start({ force: true })
    await now.click()
    await page.getByText('A sync or an import is running. Wait until it ends.').waitFor()
    await takeScreenshot('operator refused')
    releaseMirror()
    while (server.syncWorker.isRunning()) await Bun.sleep(5)

    await page.getByLabel('Games to sync').selectOption('Pokemon')
    await page.getByRole('button', { name: 'Force full sync…' }).click()
    const question = page.getByRole('dialog', { name: 'Force a full sync?' })
    await question.waitFor()
    expect(await inspect('operator force')).toEqual([])
    await question.getByRole('button', { name: 'Force full sync' }).click()
    await page.getByText('Your sync: complete.').waitFor()
    await page.getByText('1 game · 2 sets read').waitFor()
    await close()
  })

  test('stops waiting for a sync that a restart interrupted', async () => {
    const browser = await openBrowserUser(server.url, SCREENS[2], { ownContext: true })
    const { page, problems, close } = browser
    await page.clock.install()
    await server.asOperator(browser)
    let started: string | undefined
    await page.route('**/v1/operator/status', async (route) => {
      const reply = await route.fetch()
      const body = await reply.json()
      const { data } = body
      data.started_at = started ?? '2026-11-01T00:00:00.000Z'
      data.backups = data.sync.last = null
      data.sync.upstream = started === undefined ? null : 'mirror.example'
      data.disk = { ...data.disk, free_bytes: null, total_bytes: null }
      data.catalog.published_at = null
      await route.fulfill({ json: body })
    })
    await page.route('**/v1/operator/sync', (route) =>
      route.fulfill({ status: 202, json: { data: { started_at: started } } }),
    )
    await page.goto('/operator')
    await page.getByText('No sync has run yet.').waitFor()
    await page.getByText('No mirror configured.').waitFor()
    await page.getByRole('heading', { name: /^Needs attention: .*Disk/ }).waitFor()
    const now = page.getByRole('button', { name: 'Sync now' })
    expect(await now.isDisabled()).toBe(true)
    started = '2026-11-01T00:00:00.000Z'
    await page.clock.fastForward('00:10')
    await now.click()
    await page.getByText('The sync has started.').waitFor()
    started = '2026-11-01T00:01:00.000Z'
    await page.clock.fastForward('00:10')
    await page.getByText('Your sync was interrupted.').waitFor()
    expect(problems).toEqual([])
    // The page may be polling.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await close()
  })

  test('shows what is wrong, and keeps it while the server is unavailable', async () => {
    const browser = await openBrowserUser(server.url)
    const { page, close, inspect } = browser
    await server.asOperator(browser)
    server.mirror.fault(EVERY_PATH, { status: 404 })
    server.deps.triggers.sync.start({ force: true })
    while (server.syncWorker.isRunning()) await Bun.sleep(5)
    await page.goto('/operator')
    await page.getByRole('heading', { name: 'Needs attention: Prices' }).waitFor()
    await page.getByText('The last sync failed').waitFor()
    await page.getByRole('heading', { name: 'Recent errors' }).waitFor()
    expect(await inspect('operator failed')).toEqual([])

    await page.route('**/v1/operator/status', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '30' },
        json: { error: { code: 'UNAVAILABLE', message: 'The service is stopping.' } },
      }),
    )
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The service is stopping.').waitFor()
    await page.getByText('The last sync failed').waitFor()
    await page.getByRole('heading', { name: 'Not current: the server did not answer' }).waitFor()
    expect(await inspect('operator unreachable')).toEqual([])
    await page.unroute('**/v1/operator/status')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The service is stopping.').waitFor({ state: 'detached' })
    server.mirror.recover()
    await close()
  })

  test('is for operators: other accounts see how to become one, visitors see the login', async () => {
    const browser = await openBrowserUser(server.url, SCREENS[0])
    const { page, audit, closeClean, inspect } = browser
    await page.goto('/operator')
    await page.getByRole('link', { name: 'Log in or create account' }).waitFor()
    expect(await audit()).toEqual([])
    await server.asReader(browser)
    await page.goto('/operator')
    await page.getByRole('heading', { name: 'Operators only' }).waitFor()
    await page.getByText('admin account operator --email reader@cards.example').waitFor()
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0)
    expect(await inspect('operator other account')).toEqual([])
    await closeClean()
  })
})
