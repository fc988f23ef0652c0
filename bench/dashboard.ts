import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openDatabase } from '#store/db.ts'
import type { BenchData } from './data.ts'
import { interleave, median, middle, percentile, ratio, type Sample } from './measure.ts'
import { type Server, startForBrowser, startSample, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'

/** The dashboard in a real browser: what the first page weighs, when it can be used, search as you type. */
export async function benchDashboard(data: BenchData): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const sample = join(data.scratch, 'dashboard')
    return [
      ...(await withServers([startSample(sample)], ([ours]) => firstPage(browser, present(ours)))),
      ...(await withServers([startForBrowser(data.dataDir)], ([ours]) =>
        typing(browser, present(ours), data),
      )),
    ]
  } finally {
    await browser.close()
  }
}

function present(server: Server | undefined): Server {
  if (server === undefined) throw new Error('the server is missing')
  return server
}

/** A visit by a browser that has never been here, against the smallest answer of the same server. */
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
      target: '200 KB',
      met: script < 200,
    },
    {
      figure:
        'dashboard, from the navigation to the first link that can be used, sample, nothing cached',
      ours: `${formatShort(ready)} ms`,
      limit: `the shortest answer shown ${formatShort(middle(rounds, 'bare', 'ms'))} ms`,
      toLimit: times(ratio(rounds, 'ms', 'ours', 'bare')),
      target: '1,000 ms',
      met: ready < 1000,
    },
  ]
}

/** Bytes of script as they were sent, and milliseconds until what is waited for can be clicked. */
async function visit(browser: Browser, url: string, awaited: string): Promise<Sample> {
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

/** Runs in the page: notes the frame after which it stands there, from the navigation's start. */
function noteArrival(awaited: string): void {
  const look = () => {
    if (document.querySelector(awaited) === null) return requestAnimationFrame(look)
    Reflect.set(window, 'arrivedAt', performance.now())
  }
  requestAnimationFrame(look)
}

/** Names typed letter by letter in both fields, and others asked for as the page asks, by turns. */
async function typing(browser: Browser, server: Server, data: BenchData): Promise<Row[]> {
  const rows: Row[] = []
  for (const [index, field] of FIELDS.entries()) {
    const page = await browser.newPage({ viewport: VIEWPORT })
    await page.addInitScript(noteAnswers, field.settled)
    await page.goto(`${server.url}${field.path}`)
    const bare: number[] = []
    const names = namesOf(data, index)
    for (let at = 0; at + 1 < names.length; at += 2) {
      await typeName(page, field, names[at] ?? '')
      bare.push(...(await askBare(server, data, field.perPage, names[at + 1] ?? '')))
    }
    const took = await page.evaluate(() => Reflect.get(window, 'took') as number[]) // noteAnswers made it.
    await page.close()
    const [p50, p95] = [percentile(took, 50), percentile(took, 95)]
    rows.push({
      figure: `search as you type, ${field.name}, ${formatShort(data.seeded.cards)} cards: from a keystroke's request to its results in the page (${took.length} of them, without the ${REST_MS} ms that the hand rests)`,
      ours: `p50 ${formatShort(p50)} ms, p95 ${formatShort(p95)} ms`,
      limit: `the bare API p50 ${formatShort(median(bare))} ms, p95 ${formatShort(percentile(bare, 95))} ms`,
      toLimit: times(p50 / median(bare)),
      target: '50 ms',
      met: p95 <= 50,
    })
  }
  return rows
}

/** Runs in the page: how long each search took, from its request to what it found in the page. */
function noteAnswers(settled: string): void {
  const took: number[] = []
  Reflect.set(window, 'took', took)
  let sentAt: number | undefined
  const send = window.fetch
  window.fetch = Object.assign(
    (...[target, init]: Parameters<typeof send>) => {
      if (String(target).includes('/v1/search')) sentAt = performance.now()
      return send(target, init)
    },
    { preconnect: send.preconnect },
  )
  const look = () => {
    if (sentAt === undefined || document.querySelector(settled) === null) return
    took.push(performance.now() - sentAt)
    sentAt = undefined
  }
  new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true })
}

async function typeName(page: Page, field: Field, name: string): Promise<void> {
  const input = page.locator(field.input)
  await input.fill('')
  await input.focus()
  for (const letter of name) {
    await page.keyboard.type(letter)
    // A pause after a letter sends the search.
    await page.waitForTimeout(REST_MS + 30)
    const isLong = (await input.inputValue()).trim().length >= 2
    if (isLong) await page.locator(field.settled).first().waitFor()
  }
}

/** Measures the same requests without a page, in milliseconds. */
async function askBare(
  { url }: Server,
  { keys }: BenchData,
  perPage: number,
  name: string,
): Promise<number[]> {
  const took: number[] = []
  for (let length = 2; length <= name.length; length++) {
    if (name[length - 1] === ' ') continue
    const q = encodeURIComponent(name.slice(0, length))
    const started = performance.now()
    const response = await fetch(`${url}/v1/search?q=${q}&per_page=${perPage}`, {
      headers: { 'x-api-key': keys[0] ?? '' },
    })
    await response.json()
    took.push(performance.now() - started)
  }
  return took
}

/** How names of the catalog begin; other ones for each field, so that nothing is in a cache. */
function namesOf({ catalogFile, cardIds }: BenchData, index: number): string[] {
  const db = openDatabase(catalogFile, { readonly: true })
  const name = db.prepare<[number], string>('SELECT clean_name FROM cards WHERE id = ?').pluck()
  const ids = cardIds.slice(index * NAMES, (index + 1) * NAMES)
  const names = ids.map((id) => (name.get(id) ?? '').slice(0, LETTERS))
  db.close()
  return names
}

type Field = {
  name: string
  path: string
  input: string
  perPage: number
  /** Selector of the results in the page. */
  settled: string
}

const FIELDS: readonly Field[] = [
  {
    name: 'page of results',
    path: '/search',
    input: 'main input[type="search"]',
    perPage: 24,
    settled: '.results[aria-busy="false"], .found .note',
  },
  {
    name: 'bar',
    path: '/',
    input: 'header input[type="search"]',
    perPage: 8,
    settled: '.proposals[aria-busy="false"] [role="option"]',
  },
]

const VIEWPORT = { width: 1440, height: 900 }
const VISITS = 9
/** Half of them are typed, the other half asked for bare. */
const NAMES = 52
/** By then everybody has found what they look for. */
const LETTERS = 9
/** Pause after which the search is sent (src/web/hooks/use-draft.ts). */
const REST_MS = 120
