import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import { type AxeResults, source as axeSource } from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'

/** Where Chromium is; `CHROMIUM` names another one. */
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Why stories cannot be told on this machine; undefined: they can. */
export const BROWSER_MISSING =
  CHROMIUM === undefined ? 'there is no Chromium; CHROMIUM can name one' : undefined

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A camera that plays a film, for pages that are allowed to use one.
  '--use-fake-device-for-media-stream',
]

/** Every page is looked at on a phone and on a desk, by day and by night. */
export const SCREENS = [
  { name: 'phone, light', width: 390, height: 844, scheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'desk, light', width: 1440, height: 900, scheme: 'light' },
  { name: 'desk, dark', width: 1440, height: 900, scheme: 'dark' },
] as const

/** The same in half as many stories: each audit and each picture is of the day and of the night. */
export const SCREEN_SIZES = [
  { name: 'phone', width: 390, height: 844, scheme: 'both' },
  { name: 'desk', width: 1440, height: 900, scheme: 'both' },
] as const

export type Screen = Readonly<{
  name: string
  width: number
  height: number
  scheme: 'light' | 'dark' | 'both'
}>

/** One for all files of the run; Playwright ends it with the process. */
let running: Promise<Browser> | undefined

/** A reader with a browser profile of their own, whose every fault is written down. */
export async function openBrowserUser(url: string, screen: Screen = SCREENS[2]) {
  if (CHROMIUM === undefined) throw new Error(BROWSER_MISSING)
  running ??= chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  const context = await (await running).newContext({
    baseURL: url,
    viewport: { width: screen.width, height: screen.height },
    colorScheme: screen.scheme === 'dark' ? 'dark' : 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    hasTouch: screen.width < 600,
    // Nothing that moves is looked at, and drawing it costs the machine most of its time.
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const problems = collectProblems(page, new URL(url).origin)
  const isBoth = screen.scheme === 'both'
  const reader = {
    page,
    context,
    /** What the console complained of, what was thrown, and what was asked of other origins, so far. */
    faults: problems,
    /** What axe-core finds serious or critical on the page as it stands. */
    audit: async () => [
      ...(await audit(page, '')),
      ...(isBoth ? await inDarkMode(page, () => audit(page, COLOURS)) : []),
    ],
    /** A picture for people to look at, where CARDSTOCK_SCREENSHOTS names a folder. */
    async takeScreenshot(name: string): Promise<void> {
      await show(page, `${name} ${screen.name}`)
      if (isBoth) await inDarkMode(page, () => show(page, `${name} ${screen.name}, dark`))
    },
    close: () => context.close(),
  }
  /** A picture, and what axe-core finds. */
  async function inspect(name: string): Promise<string[]> {
    await reader.takeScreenshot(name)
    return reader.audit()
  }
  return { ...reader, look: inspect }
}

export type BrowserUser = Awaited<ReturnType<typeof openBrowserUser>>

function collectProblems(page: Page, origin: string): string[] {
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isOwn = url.origin === origin || ['data:', 'blob:'].includes(url.protocol)
    if (!isOwn) faults.push(`asked elsewhere: ${url.href}`)
  })
  return faults
}

/** What is looked at in the other colours; nothing else of the page differs then. */
async function inDarkMode<T>(page: Page, look: () => Promise<T>): Promise<T> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const seen = await look()
  await page.emulateMedia({ colorScheme: 'light' })
  return seen
}

const COLOURS = "{ runOnly: ['color-contrast'] }"

async function audit(page: Page, what: string): Promise<string[]> {
  // It is as large as all of the page: one document is given it once.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource)
  // axe-core has put itself there.
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${what})`)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
    )
}

async function show(page: Page, name: string): Promise<void> {
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

export type { BrowserContext, Page }
