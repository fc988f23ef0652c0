import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { PICTURE_SIZES, PICTURE_WIDTHS, pictureKey } from '#rules/catalog/picture-url.ts'
import { openDatabase } from '#store/db.ts'
import { openPictureFileStore } from '#store/files/picture-files.ts'
import { createThumbnails } from '#vision/image/thumbnail.ts'
import { PER_PAGE } from '#web/search/query.ts'
import { RESULT_FIELDS, SUGGESTIONS_MAX } from '#web/search/shown-results.ts'
import type { BenchData } from './data.ts'
import { median, percentile } from './measure.ts'
import { type Server, startForBrowser, startSlowPictures, withServers } from './servers.ts'
import { formatShort, type Row, times } from './table.ts'

/**
 * Measures search as you type over HTTP/1.1, from the keystroke's request until its results are painted. The images
 * come from a slow host; either none is cached or all are.
 */
export async function benchTyping(browser: Browser, data: BenchData): Promise<Row[]> {
  const image = join(import.meta.dir, '../data/sample/pictures/900003.webp')
  return withServers([startSlowPictures(image, DELAY_MS)], async ([pictures]) => {
    const dataDir = join(data.scratch, 'typing')
    copyCatalog(data.dataDir, dataDir, pictures?.url ?? '')
    return withServers([startForBrowser(dataDir, pictures?.url ?? '')], async ([server]) => {
      if (server === undefined) throw new Error('the server did not start')
      const rows: Row[] = []
      for (const [index, field] of FIELDS.entries()) {
        const names = namesOf(data, index)
        rows.push(...(await measureField(browser, server, field, names, dataDir)))
      }
      return rows
    })
  })
}

/** Copies the catalog, with its images on another host. */
function copyCatalog(from: string, to: string, pictures: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, filter: (path) => !/backups|bulk|\.lock$/.test(path) })
  const db = openDatabase(join(to, 'catalog.db'))
  db.prepare("UPDATE cards SET image_url = ? || '/' || id").run(pictures)
  db.close()
}

/** Types names letter by letter, alternating between uncached images, cached images, and a bare page. */
async function measureField(
  browser: Browser,
  server: Server,
  field: Field,
  names: readonly string[],
  dataDir: string,
): Promise<Row[]> {
  const cold = await openField(browser, server, field)
  const warm = await openField(browser, server, field)
  const bare = await openBarePage(browser, server)
  for (let at = 0; at + 2 < names.length; at += 3) {
    const [first = '', second = '', third = ''] = names.slice(at, at + 3)
    await cachePictures(server, dataDir, second, field.perPage)
    await typeName(cold, field, first)
    await typeName(warm, field, second)
    await typeQuery(bare, field.perPage, third)
  }
  const limit = await readTimes(bare)
  const rows = [
    await toRow(field, 'no picture cached', cold, limit, 150),
    await toRow(field, 'all pictures cached', warm, limit, 120),
  ]
  for (const page of [cold, warm, bare]) await page.context().close()
  return rows
}

async function toRow(
  field: Field,
  state: string,
  page: Page,
  bare: readonly number[],
  target: number,
): Promise<Row> {
  const took = await readTimes(page)
  const waitP95 = percentile(await readWaits(page), 95)
  const [p50, p95] = [percentile(took, 50), percentile(took, 95)]
  return {
    figure: `search as you type, ${field.name}, ${state}: from a keystroke's request to its painted results (${took.length} of them; ${DELAY_MS} ms per picture at its host, ${BREAK_MS} ms between results and the next letter)`,
    ours: `p50 ${formatShort(p50)} ms, p95 ${formatShort(p95)} ms; p95 of the wait for a connection ${formatShort(waitP95)} ms`,
    limit: `a bare page with the same request p50 ${formatShort(median(bare))} ms, p95 ${formatShort(percentile(bare, 95))} ms`,
    toLimit: `p50 ${times(p50 / median(bare))}, p95 ${times(p95 / percentile(bare, 95))}`,
    target: `p95 ${target} ms`,
    met: p95 <= target,
  }
}

/** Opens the page of a field as a visitor with an empty browser cache. */
async function openField(browser: Browser, server: Server, field: Field): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.addInitScript(recordSearches, field.settled)
  await page.goto(`${server.url}${field.path}`)
  await page.locator(field.input).waitFor()
  return page
}

/** Runs in the page: records the time of each search, from its request to the paint of its results. */
function recordSearches(settled: string): void {
  const took: number[] = []
  Reflect.set(window, 'took', took)
  performance.setResourceTimingBufferSize(100_000)
  let sentAt: number | undefined
  const send = window.fetch
  window.fetch = Object.assign(
    (...[target, init]: Parameters<typeof send>) => {
      const url = target instanceof Request ? target.url : String(target)
      if (url.includes('/v1/search')) sentAt = performance.now()
      return send(target, init)
    },
    { preconnect: send.preconnect },
  )
  const look = () => {
    if (sentAt === undefined || document.querySelector(settled) === null) return
    const startedAt = sentAt
    sentAt = undefined
    // The frame is painted before the next task.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => took.push(performance.now() - startedAt)
      port2.postMessage(undefined)
    })
  }
  new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true })
}

async function readTimes(page: Page): Promise<number[]> {
  return page.evaluate(() => Reflect.get(window, 'took') as number[]) // The page has recorded them.
}

/** Returns how long each search waited for a connection, in milliseconds. */
async function readWaits(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name, requestStart }) => name.includes('/v1/search') && requestStart > 0)
      .map(({ startTime, requestStart }) => requestStart - startTime),
  )
}

/** Waits for the results after each letter until their pictures begin to load. */
async function typeName(page: Page, field: Field, name: string): Promise<void> {
  const input = page.locator(field.input)
  await input.fill('')
  await input.focus()
  for (const [at, letter] of [...name].entries()) {
    const count = (await readTimes(page)).length
    await page.keyboard.type(letter)
    if (!isSearch(name, at + 1)) continue
    await page.waitForFunction((known) => Reflect.get(window, 'took').length > known, count)
    await page.waitForTimeout(BREAK_MS)
  }
}

/** Returns false for text that is too short, or that differs only by a space. */
function isSearch(name: string, length: number): boolean {
  return length >= 2 && name[length - 1] !== ' '
}

/** Opens a page without scripts, styles and pictures in the same browser. */
async function openBarePage(browser: Browser, { url }: Server): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true })
  const page = await context.newPage()
  await page.goto(`${url}/healthz`)
  await page.evaluate(() => Reflect.set(window, 'took', []))
  return page
}

/** Sends the same requests as the dashboard, and shows the names as lines of text. */
async function typeQuery(page: Page, perPage: number, name: string): Promise<void> {
  for (let length = 2; length <= name.length; length++) {
    if (!isSearch(name, length)) continue
    await page.evaluate(showBare, searchPath(name.slice(0, length), perPage))
    await page.waitForTimeout(BREAK_MS)
  }
}

/** Runs in the page. */
async function showBare(path: string): Promise<void> {
  const startedAt = performance.now()
  const response = await fetch(path, { headers: { 'X-Cardstock-Page': '1' } })
  const { data } = await response.json()
  document.body.textContent = data.map(({ name }: { name: string }) => name).join('\n')
  await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(undefined)
  })
  Reflect.get(window, 'took').push(performance.now() - startedAt)
}

function searchPath(q: string, perPage: number): string {
  return `/v1/search?${new URLSearchParams({ q, per_page: String(perPage), fields: RESULT_FIELDS })}`
}

/** Caches the pictures of all results of a name, as if they had been shown before. */
async function cachePictures(
  { url }: Server,
  dataDir: string,
  name: string,
  perPage: number,
): Promise<void> {
  const files = openPictureFileStore(dataDir, CACHE_BYTES)
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const urlOf = db.prepare<[number], string>('SELECT image_url FROM cards WHERE id = ?').pluck()
  const widths = PICTURE_SIZES.map((size) => PICTURE_WIDTHS[size])
  const image = Bun.file(join(import.meta.dir, '../data/sample/pictures/900003.webp'))
  const thumbnails = await createThumbnails(await image.bytes(), widths)
  for (let length = 2; length <= name.length; length++) {
    if (!isSearch(name, length)) continue
    // Uses another page size, so that the response is not cached for the measurement.
    const path = searchPath(name.slice(0, length), perPage + 1)
    const response = await fetch(`${url}${path}`, { headers: { 'X-Cardstock-Page': '1' } })
    const { data }: { data: { id: number }[] } = await response.json()
    for (const { id } of data) {
      const imageUrl = urlOf.get(id) ?? ''
      for (const [at, size] of PICTURE_SIZES.entries()) {
        await files.put(pictureKey(imageUrl, size), thumbnails[at] ?? Buffer.of(), new Date())
      }
    }
  }
  db.close()
}

/**
 * Returns beginnings of names in the catalog, different ones for each field. No two begin with the same two letters,
 * because the second one would be cached by the dashboard and the server.
 */
function namesOf({ catalogFile, cardIds }: BenchData, index: number): string[] {
  const db = openDatabase(catalogFile, { readonly: true })
  const name = db.prepare<[number], string>('SELECT clean_name FROM cards WHERE id = ?').pluck()
  const names = new Map<string, string>()
  for (const id of cardIds) {
    const beginning = (name.get(id) ?? '').slice(0, LETTERS)
    const start = beginning.slice(0, 2).toLowerCase()
    if (!names.has(start)) names.set(start, beginning)
    if (names.size === FIELDS.length * NAMES) break
  }
  db.close()
  return [...names.values()].slice(index * NAMES, (index + 1) * NAMES)
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
    perPage: PER_PAGE,
    settled: '.results[aria-busy="false"], .search-results .note',
  },
  {
    name: 'suggestions of the home page',
    path: '/',
    input: 'main input[type="search"]',
    perPage: SUGGESTIONS_MAX,
    settled: '.suggestions[aria-busy="false"] [role="option"]',
  },
]

const VIEWPORT = { width: 1440, height: 900 }
/** A third each with uncached pictures, with cached pictures, and in the bare page. */
const NAMES = 39
/** By then, everybody has found the card. */
const LETTERS = 9
/** Response time of the image host. */
const DELAY_MS = 300
/** Longer than the pause after which pictures begin to load, so that the next search competes with their requests. */
const BREAK_MS = 450
const CACHE_BYTES = 2_000_000_000
