import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { UsageError } from '../scripts/cli/parse.ts'
import type { BenchData } from './data.ts'
import { interleave, middle, ratio, type Sample } from './measure.ts'
import { type Server, startSample, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'
import { benchTyping } from './typing.ts'

/** Measures the dashboard in a real browser: size of the first page, time until it can be used, search as you type. */
export async function benchDashboard(data: BenchData): Promise<Row[]> {
  const browser = await openBrowser()
  try {
    const sample = join(data.scratch, 'dashboard')
    return [
      ...(await withServers([startSample(sample)], ([ours]) => firstPage(browser, present(ours)))),
      ...(await benchTyping(browser, data)),
    ]
  } finally {
    await browser.close()
  }
}

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** @throws UsageError if there is no Chromium */
export function assertBrowser(): void {
  if (existsSync(CHROMIUM)) return
  throw new UsageError(
    `There is no ${CHROMIUM}. Install Chromium, name one with CHROMIUM, or choose other figures.`,
  )
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
}

function present(server: Server | undefined): Server {
  if (server === undefined) throw new Error('the server did not start')
  return server
}

/** Measures the first visit of a browser, against the smallest response of the same server. */
async function firstPage(browser: Browser, { url }: Server): Promise<Row[]> {
  const rounds = await interleave(VISITS, {
    ours: () => visit(browser, `${url}/`, '.tile a[href]'),
    bare: () => visit(browser, `${url}/healthz`, 'body'),
  })
  const script = middle(rounds, 'ours', 'script') / 1000
  const ready = middle(rounds, 'ours', 'ms')
  return [
    {
      figure: 'dashboard, script of the first page, compressed',
      ours: `${formatShort(script)} KB`,
      target: '95 KB',
      met: script <= 95,
    },
    {
      figure:
        'dashboard, from the navigation to the first link that can be used, sample, nothing cached',
      ours: `${formatShort(ready)} ms`,
      limit: `the shortest response shown ${formatShort(middle(rounds, 'bare', 'ms'))} ms`,
      toLimit: times(ratio(rounds, 'ms', 'ours', 'bare')),
      target: '1,000 ms',
      met: ready < 1000,
    },
  ]
}

/** Returns the transferred bytes of script, and the milliseconds until the awaited element can be clicked. */
export async function visit(browser: Browser, url: string, awaited: string): Promise<Sample> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const page = await context.newPage()
    let script = 0
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      script += Number(response.headers()['content-length'] ?? Number.NaN)
    })
    await page.addInitScript(noteArrival, awaited)
    await page.goto(url)
    await page.waitForFunction(() => Reflect.has(window, 'arrivedAt'))
    const ms = await page.evaluate(() => Number(Reflect.get(window, 'arrivedAt')))
    return { ms, script }
  } finally {
    await context.close()
  }
}

/** Runs in the page: records the frame after which the element is visible, from the start of the navigation. */
function noteArrival(awaited: string): void {
  const look = () => {
    if (document.querySelector(awaited) === null) return requestAnimationFrame(look)
    Reflect.set(window, 'arrivedAt', performance.now())
  }
  requestAnimationFrame(look)
}

const VIEWPORT = { width: 1440, height: 900 }
const VISITS = 9
