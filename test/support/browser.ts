import { afterAll } from 'bun:test'
import { existsSync } from 'node:fs'
import { type AxeResults, source as axeSource } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Where Chromium is; `CHROMIUM` names another one. */
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Why stories cannot be told on this machine; undefined: they can. */
export const NO_BROWSER =
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
export const SIGHTS = [
  { name: 'phone, light', width: 390, height: 844, scheme: 'light' },
  { name: 'phone, dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'desk, light', width: 1440, height: 900, scheme: 'light' },
  { name: 'desk, dark', width: 1440, height: 900, scheme: 'dark' },
] as const

export type Sight = { name: string; width: number; height: number; scheme: 'light' | 'dark' }

/** The phone and the desk, once each: `look` sees them by day and by night. */
export const WIDTHS = [SIGHTS[0], SIGHTS[3]] as const

let running: Promise<Browser> | undefined

afterAll(async () => {
  await (await running)?.close()
  running = undefined
})

/** A reader with a browser profile of their own, whose every fault is written down. */
export async function openReader(url: string, sight: Sight = SIGHTS[2]) {
  if (CHROMIUM === undefined) throw new Error(NO_BROWSER)
  running ??= chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  const context = await (await running).newContext({
    baseURL: url,
    viewport: { width: sight.width, height: sight.height },
    colorScheme: sight.scheme,
    locale: 'en-US',
    timezoneId: 'UTC',
    hasTouch: sight.width < 600,
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const faults = watch(page, new URL(url).origin)
  return {
    page,
    context,
    /** What the console complained of, what was thrown, and what was asked of other origins, so far. */
    faults,
    /** What axe-core finds serious or critical on the page as it stands. */
    audit: () => audit(page),
    /** A picture for people to look at, where CARDSTOCK_SCREENSHOTS names a folder. */
    show: (name: string) => show(page, `${name} ${sight.name}`),
    /** Both at once, by day and by night: what axe-core finds on the page as it stands. */
    look: (name: string) => look(page, name, sight),
    close: () => context.close(),
  }
}

export type BrowserReader = Awaited<ReturnType<typeof openReader>>

function watch(page: Page, origin: string): string[] {
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

async function look(page: Page, name: string, { width, scheme }: Sight): Promise<string[]> {
  const size = width < 600 ? 'phone' : 'desk'
  const found = await audit(page)
  await show(page, `${name} ${size} ${scheme}`)
  const other = scheme === 'dark' ? 'light' : 'dark'
  // Colours change at once, and nothing else does.
  await page.emulateMedia({ colorScheme: other, reducedMotion: 'reduce' })
  found.push(...(await audit(page, ['color-contrast'])))
  await show(page, `${name} ${size} ${other}`)
  await page.emulateMedia({ colorScheme: scheme })
  return found
}

/** @param rules all of them, unless some are named */
async function audit(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  const options = rules === undefined ? {} : { runOnly: rules }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
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

export type { BrowserContext, Page }
