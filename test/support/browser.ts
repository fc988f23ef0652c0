import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'

/** Path of Chromium. `CHROMIUM` overrides it. */
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

const BROWSER_MISSING = 'Chromium not found. Set CHROMIUM to its path.'

if (CHROMIUM === undefined) console.info(`Browser tests skipped: ${BROWSER_MISSING}`)

/** Groups the browser tests of a file. They are skipped without a browser. */
export function describeInBrowser(name: string, addTests: () => void): void {
  setDefaultTimeout(120_000)
  describe.skipIf(CHROMIUM === undefined)(name, addTests)
}

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // All pages of a context share a process, and none waits for the next page: that halves the CPU time of a page load.
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
  // A simulated camera, for pages with permission to use one.
  '--use-fake-device-for-media-stream',
]

/** Phone and desktop, in light and dark colors. */
export const SCREENS = [
  { name: 'phone, light', width: 390, height: 844, scheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'desktop, light', width: 1440, height: 900, scheme: 'light' },
  { name: 'desktop, dark', width: 1440, height: 900, scheme: 'dark' },
] as const

/** Phone and desktop. Each audit and each screenshot covers both color schemes. */
export const SCREEN_SIZES = [
  { name: 'phone', width: 390, height: 844, scheme: 'both' },
  { name: 'desktop', width: 1440, height: 900, scheme: 'both' },
] as const

/** Runs a browser test on a phone and on a desktop. */
export const testEachScreen = test.each(SCREEN_SIZES.map((size) => [size.name, size] as const))

export type Screen = Readonly<{
  name: string
  width: number
  height: number
  scheme: 'light' | 'dark' | 'both'
}>

type BrowserUserOptions = {
  /** Opens a private context, for tests that use Playwright's clock: a context cannot uninstall it. */
  ownContext?: boolean
  /** Allows service workers, whose requests `page.route` does not see. Needs a private context. */
  serviceWorkers?: boolean
  /** Languages of the browser, such as `de-DE`. Needs a private context. */
  locale?: string
  /** Path of an MJPEG file that the camera shows, in a separate browser. Needs a private context. */
  cameraVideo?: string
}

/**
 * Opens a page as a new user: without cookies, storage, permissions or other pages. The contexts are shared by
 * all test files of the process, so that scripts are compiled once: only one user is open at a time.
 */
export async function openBrowserUser(
  url: string,
  screen: Screen = SCREENS[2],
  { ownContext = false, ...contextOptions }: BrowserUserOptions = {},
) {
  const hasTouch = screen.width < 600
  const context = ownContext
    ? await createContext(hasTouch, contextOptions)
    : await resetContext(hasTouch, url)
  const page = await context.newPage()
  await page.setViewportSize({ width: screen.width, height: screen.height })
  await page.emulateMedia({ colorScheme: screen.scheme === 'dark' ? 'dark' : 'light' })
  // A shared context has no base URL.
  const goto = page.goto.bind(page)
  page.goto = (path, options) => goto(new URL(path, url).href, options)
  const problems = collectProblems(page, new URL(url).origin)
  const isBoth = screen.scheme === 'both'
  const user = {
    page,
    context,
    /** Console errors, uncaught exceptions and requests to other origins. */
    problems,
    /** Returns the serious and critical axe-core violations of the page. */
    audit: async () => [
      ...(await audit(page, ALL_RULES)),
      ...(isBoth ? await inDarkMode(page, () => audit(page, COLOR_RULES)) : []),
    ],
    /** Saves a screenshot if CARDSTOCK_SCREENSHOTS names a folder. */
    async takeScreenshot(name: string): Promise<void> {
      await saveScreenshot(page, `${name} ${screen.name}`)
      if (isBoth) await inDarkMode(page, () => saveScreenshot(page, `${name} ${screen.name}, dark`))
    },
    /** Stops the page's clock at a time. Its timers keep running. */
    freezeTime: (time: string) => freezeTime(page, time),
    close: async () => {
      await (ownContext ? context.close() : page.close())
      if (contextOptions.cameraVideo !== undefined) await context.browser()?.close()
    },
    /** Closes the page, as an assertion that it had no problem. */
    async closeClean(): Promise<void> {
      expect(problems).toEqual([])
      await user.close()
    },
  }
  /** Saves a screenshot and returns the axe-core violations. */
  async function inspect(name: string): Promise<string[]> {
    await user.takeScreenshot(name)
    return user.audit()
  }
  return { ...user, inspect }
}

export type BrowserUser = Awaited<ReturnType<typeof openBrowserUser>>

/** The browser of this process. Playwright closes it at exit. */
let browser: Promise<Browser> | undefined

/** Returns the browser of this process, or another one whose camera shows a video. */
function openBrowser(cameraVideo: string | undefined): Promise<Browser> {
  if (cameraVideo !== undefined) return launchBrowser(cameraVideo)
  browser ??= launchBrowser()
  return browser
}

function launchBrowser(cameraVideo?: string): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(BROWSER_MISSING)
  const camera =
    cameraVideo === undefined ? [] : [`--use-file-for-fake-video-capture=${cameraVideo}`]
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...camera] })
}

async function createContext(
  hasTouch: boolean,
  {
    serviceWorkers = false,
    locale = 'en-US',
    cameraVideo,
  }: Omit<BrowserUserOptions, 'ownContext'> = {},
): Promise<BrowserContext> {
  const context = await (await openBrowser(cameraVideo)).newContext({
    locale,
    serviceWorkers: serviceWorkers ? 'allow' : 'block',
    timezoneId: 'UTC',
    hasTouch,
    // Animations are not tested, and drawing them would take most of the CPU time.
    reducedMotion: 'reduce',
  })
  // Limits only what hangs, even on a busy machine.
  context.setDefaultTimeout(30_000)
  return context
}

type SharedContext = { context: BrowserContext; keeper: Page }

const sharedContexts = new Map<boolean, Promise<SharedContext>>()

/** Creates a context with an empty page that keeps the renderer process alive between tests. */
async function createSharedContext(hasTouch: boolean): Promise<SharedContext> {
  const context = await createContext(hasTouch)
  const keeper = await context.newPage()
  await keeper.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await keeper.goto('http://localhost/')
  return { context, keeper }
}

/** Returns the shared context after removing everything that an earlier user left in it. */
async function resetContext(hasTouch: boolean, url: string): Promise<BrowserContext> {
  const shared = sharedContexts.get(hasTouch) ?? createSharedContext(hasTouch)
  sharedContexts.set(hasTouch, shared)
  const { context, keeper } = await shared
  const devTools = await context.newCDPSession(keeper)
  const storage = { origin: new URL(url).origin, storageTypes: 'local_storage,indexeddb' }
  await Promise.all([
    ...context.pages().map((page) => (page === keeper ? undefined : page.close())),
    context.clearCookies(),
    context.clearPermissions(),
    context.setOffline(false),
    devTools.send('Storage.clearDataForOrigin', storage),
  ])
  await devTools.detach()
  return context
}

async function freezeTime(page: Page, time: string): Promise<void> {
  const script = `{
    const RealDate = Date
    const now = ${Date.parse(time)}
    globalThis.Date = class extends RealDate {
      constructor(...parts) {
        super(...(parts.length === 0 ? [now] : parts))
      }
      static now() {
        return now
      }
    }
  }`
  await page.addInitScript(script)
  await page.evaluate(script)
}

function collectProblems(page: Page, origin: string): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    // Tests without service workers.
    if (message.text().includes('Service Worker registration blocked')) return
    problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === origin || ['data:', 'blob:'].includes(url.protocol)
    if (!isOwn) problems.push(`request to another origin: ${url.href}`)
  })
  return problems
}

async function inDarkMode<T>(page: Page, check: () => Promise<T>): Promise<T> {
  await changeScheme(page, 'dark')
  const result = await check()
  await changeScheme(page, 'light')
  return result
}

/** Changes the color scheme, and waits until the scripts of the page have been notified: on a busy machine some frames later. */
async function changeScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.evaluate(`window.schemeChange = new Promise((resolve) => {
    const list = matchMedia('(prefers-color-scheme: ${colorScheme})')
    if (list.matches) resolve()
    else list.addEventListener('change', () => resolve(), { once: true })
  }); 0`)
  await page.emulateMedia({ colorScheme })
  // Listeners are called in their order, so this one is the last.
  await page.evaluate('window.schemeChange')
  await page.evaluate(TWO_FRAMES)
}

const TWO_FRAMES =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))'

const ALL_RULES = "{ preload: false, resultTypes: ['violations'] }"
/** Rules whose result depends on the color scheme. */
const COLOR_RULES = "{ preload: false, resultTypes: ['violations'], runOnly: ['color-contrast'] }"

/** The minified build loads in half the time of the default one. */
const AXE = await Bun.file(require.resolve('axe-core/axe.min.js')).text()

async function audit(page: Page, options: string): Promise<string[]> {
  // The script is as large as a page: inject it once per document.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
    )
}

async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.CARDSTOCK_SCREENSHOTS
  if (folder === undefined) return
  await page.screenshot({
    path: `${folder}/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`,
    fullPage: true,
  })
}

/** Waits until an element is visible, as an assertion of the test. */
export async function expectVisible(element: Locator): Promise<void> {
  await element.waitFor()
  expect(await element.isVisible()).toBe(true)
}

/** Waits until an element has the focus, as an assertion of the test. */
export function expectFocused(element: Locator): Promise<void> {
  return expectVisible(element.and(element.page().locator(':focus')))
}

/** Waits until the URL of a page is as expected, as an assertion of the test. */
export async function expectUrl(page: Page, isExpected: (url: URL) => boolean): Promise<void> {
  await page.waitForURL(isExpected)
  expect(isExpected(new URL(page.url()))).toBe(true)
}

export type { BrowserContext, Page }
