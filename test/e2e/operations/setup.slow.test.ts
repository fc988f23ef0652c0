// Browser tests of the setup: a new server, from the first visit to the first price.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type BrowserUser,
  describeInBrowser,
  expectUrl,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
  type Screen,
  testEachScreen,
} from '../../support/browser.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startServerProcess } from '../../support/server-process.ts'
import { startMirror } from '../../support/sync/mirror-server.ts'
import { unpackRecordedUpstream } from '../../support/sync/real-upstream.ts'
import { smallUpstream } from '../../support/sync/upstream-fixture.ts'

const SAMPLE = resolve(import.meta.dir, '../../../data/sample')
const EMAIL = 'owner@shop.example'
const PASSWORD = 'four random plain words'

const real = unpackRecordedUpstream(import.meta.path, ['catalog'])
afterAll(() => {
  if (real !== undefined) rmSync(real, { recursive: true })
})

/** Serves a game of the real catalog whose sets are read within seconds. */
function serveLorcana() {
  const root = join(real ?? '', 'catalog')
  const path = join(root, 'tcgplayer/categories')
  const file = JSON.parse(readFileSync(path, 'utf8'))
  const results = file.results.filter(({ categoryId }: { categoryId: number }) => categoryId === 71)
  writeFileSync(path, JSON.stringify({ ...file, results }))
  return startMirror(root)
}

type World = Awaited<ReturnType<typeof openNewServer>>

/** Starts a server in an empty folder, like the first command of the README. */
async function openNewServer(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-setup-'))
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const settings = { PUBLIC_URL: url, INDEX_PICTURES: '', ...env }
  const server = startServerProcess({
    port,
    dataDir: folder,
    env: settings,
    args: ['--with-sample'],
    holdsPictures: true,
  })
  await server.ready()
  return {
    url,
    /** Returns the printed setup address. */
    async link(): Promise<string> {
      for (;;) {
        const [found] = /http\S+\/setup#token=\S+/.exec(server.output()) ?? []
        if (found !== undefined) return found
        await Bun.sleep(20)
      }
    },
    async restart() {
      await server.kill()
      await server.start()
    },
    async close() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

describeInBrowser('the setup', () => {
  let world: World
  let user: BrowserUser
  const mirrors: { close(): unknown }[] = []

  async function open(screen: Screen = SCREENS[2], env?: Record<string, string>) {
    world = await openNewServer(env)
    user = await openBrowserUser(world.url, screen)
    return user.page
  }
  afterEach(async () => {
    await user?.close()
    await world?.close()
    for (const mirror of mirrors.splice(0)) await mirror.close()
  })

  async function createAccount(): Promise<void> {
    const { page } = user
    await page.goto(await world.link())
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Who uses this server?' }))
  }

  testEachScreen('leads from the link in the log to the first price: %s', async (_, screen) => {
    const page = await open(screen)
    const mirror = startMirror(SAMPLE)
    mirrors.push(mirror)
    await page.goto('/')
    await expectVisible(page.getByRole('heading', { name: 'Set up this server' }))
    await expectVisible(page.getByLabel('Setup token'))
    expect(await user.inspect('setup, a visitor')).toEqual([])

    await page.goto(await world.link())
    expect(await user.inspect('setup, account')).toEqual([])
    await createAccount()
    await expectUrl(page, ({ href }) => !href.includes('token'))
    expect(await user.inspect('setup, use')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()

    await expectVisible(page.getByRole('heading', { name: 'Where do prices come from?' }))
    await page.getByText('Another mirror').click()
    await page.getByLabel('Address of the mirror').fill('http://127.0.0.1:1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByText(/The mirror cannot be used/))
    expect(await user.inspect('setup, mirror')).toEqual([])
    await page.getByLabel('Address of the mirror').fill(mirror.url)
    await page.getByRole('button', { name: 'Continue' }).click()

    await expectVisible(page.getByRole('heading', { name: 'Identify cards from photos?' }))
    await page.getByText('Later', { exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Ready' }))
    await expectVisible(page.getByText(/^Complete: /))
    expect(await user.inspect('setup, ready')).toEqual([])
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await expectVisible(
      page.getByRole('link', { name: 'Movers' }).filter({ visible: true }).first(),
    )
    await expectUrl(page, ({ pathname }) => pathname === '/')
    // A mirror that nobody serves.
    expect(user.problems).toEqual([expect.stringContaining('409 (Conflict)')])
  })

  testEachScreen('names accounts that others have registered before: %s', async (_, screen) => {
    const page = await open(screen)
    const account = { email: 'first@strangers.example', password: PASSWORD }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(account)
    await fetch(`${world.url}/v1/auth/register`, { method: 'POST', headers, body })
    await createAccount()
    await expectVisible(page.getByText('first@strangers.example'))
    expect(await user.inspect('setup, use with strangers')).toEqual([])
    await page.getByText('A community', { exact: true }).click()
    await page.getByText('first@strangers.example').waitFor({ state: 'detached' })
    await page.getByText('Only me and my staff').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Where do prices come from?' }))
    await expectVisible(page.getByText('first@strangers.example'))
  })

  test('continues where it stopped, also after a restart of the server', async () => {
    const page = await open()
    await createAccount()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Where do prices come from?' }))
    await world.restart()
    await page.context().clearCookies()
    await page.goto('/')
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expectVisible(page.getByRole('heading', { name: 'Where do prices come from?' }))
    await page.getByRole('button', { name: 'Change: Who uses this server?' }).click()
    await page.getByText('A community').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByText('A community'))
  })

  test('makes one of two people who submit at once the operator, and lets the other log in', async () => {
    const page = await open()
    const other = await openBrowserUser(world.url, SCREENS[0], { ownContext: true })
    const [link, people] = [await world.link(), [page, other.page]]
    for (const [index, one] of people.entries()) {
      await one.goto(link)
      await one.getByLabel('E-mail').fill(`owner${index}@shop.example`)
      await one.getByLabel('Password', { exact: true }).fill(PASSWORD)
    }
    const isOperator = (one: Page) => one.getByRole('heading', { name: 'Who uses this server?' })
    const isLate = (one: Page) => one.getByText('This server already has an operator.')
    await Promise.all(
      people.map((one) => one.getByRole('button', { name: 'Create account' }).click()),
    )
    await Promise.all(people.map((one) => isOperator(one).or(isLate(one)).waitFor()))
    const [first, late] = (await isLate(page).isVisible()) ? [other.page, page] : people
    await expectVisible(isOperator(first ?? page))
    await expectVisible(isLate(late ?? page))
    expect(await (late === page ? user : other).inspect('setup, too late')).toEqual([])

    await late?.getByRole('link', { name: 'Log in' }).click()
    await late?.getByLabel('E-mail').fill(`owner${late === page ? 1 : 0}@shop.example`)
    await late?.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await late?.getByRole('button', { name: 'Log in' }).click()
    await expectVisible(isOperator(late ?? page))
    await other.close()
  })

  test('lists the missing parts of a mirror with half a catalog, and keeps the rest', async () => {
    const page = await open()
    const mirror = startMirror(smallUpstream().files)
    mirrors.push(mirror)
    mirror.fault('tcgplayer/3/12/products', { html: true })
    await createAccount()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Another mirror').click()
    await page.getByLabel('Address of the mirror').fill(mirror.url)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByText('Some sets could not be read.'))
    await expectVisible(page.getByText(/12\/products/))
    expect(await user.inspect('setup, half a catalog')).toEqual([])
    await page.getByText('Later', { exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await page.waitForURL('**/')
    await expectVisible(page.getByRole('link', { name: /Harbour & Haven/ }))
    await page.goto('/search?q=tide+turtle')
    await expectVisible(page.getByText('3 cards'))
  })

  test('skips questions that the environment answers', async () => {
    const page = await open(SCREENS[2], { SERVICE_MODE: 'business', INDEX_PICTURES: 'off' })
    await page.goto(await world.link())
    await page.getByLabel('E-mail').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expectVisible(page.getByText('Question 1 of 1'))
    await page.getByText('Only the sample for now').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectVisible(page.getByRole('button', { name: 'Open the dashboard' }))
    // The invented cards of the sample have no older prices.
    expect(await page.getByRole('region', { name: 'Older prices' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open the dashboard' }).click()
    await page.waitForURL('**/')
    await page.goto('/operator/settings')
    await expectVisible(page.getByText('Customers: set in the server’s environment'))
    expect(await user.inspect('settings')).toEqual([])
  })

  test.skipIf(real === undefined)(
    'ends with a price of a real catalog',
    async () => {
      const page = await open(SCREENS[0])
      const mirror = serveLorcana()
      mirrors.push(mirror)
      await createAccount()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Another mirror').click()
      await page.getByLabel('Address of the mirror').fill(mirror.url)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('Later', { exact: true }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await expectVisible(page.getByText(/of 23 sets? read|^Complete: /))
      await user.takeScreenshot('setup, first sync')
      await page.getByText(/^Complete: 1 game/).waitFor({ timeout: 60_000 })
      await expectVisible(page.getByRole('button', { name: 'Upload archive…' }))
      await page.getByRole('button', { name: 'Open the dashboard' }).click()
      await page.waitForURL('**/')
      await page.goto('/search?q=elsa spirit of winter')
      await page
        .getByRole('link', { name: /Elsa - Spirit of Winter/ })
        .first()
        .click()
      await expectVisible(page.getByText(/^\$\d[\d,]*\.\d\d$/).first())
      await user.takeScreenshot('setup, first price')
    },
    120_000,
  )
})
