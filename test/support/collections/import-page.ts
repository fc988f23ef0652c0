// The page of an import in a browser: accounts with a collection, and a file of 1,000 rows of which 40 are doubtful.
import { beforeAll } from 'bun:test'
import type { Locator } from 'playwright-core'
import { openBrowserUser, type Page, SCREEN_SIZES } from '../browser.ts'
import { createTempFolder } from '../closers.ts'
import { finishSetup } from '../finish-setup.ts'
import { type ImportServer, startImportServer } from './import-server.ts'

export const [PHONE, DESKTOP] = SCREEN_SIZES
export const TABLET = { name: 'tablet', width: 768, height: 1024, scheme: 'both' } as const

type ImportScreen = (typeof SCREEN_SIZES)[number] | typeof TABLET

export const HEADER = 'Name,Set Name,Card Number,Quantity,Binder Type,Shelf'

const CERTAIN = [
  'Cindlemane Regent,Lantern Season,003/024,1,,A',
  'Cindle,Tidepool Parade,001/020,4,,A',
  'Saint Orrery,The Ninth Library,4,1,,B',
]
export const GUESSED = 'Cindle,Tidepool Parade,019/020,2,,A'
export const ASSUMED = 'Tide Clerk,,,1,,A'
export const NOT_FOUND = 'Nobody at all,Nowhere,1,1,,A'
export const LEFT_OUT = 'Cindle,Tidepool Parade,001/020,1,list,A'

/** Renders a number of rows that are certain. */
export function certainRows(rows: number): string[] {
  return Array.from({ length: rows }, (_, row) => CERTAIN[row % CERTAIN.length] ?? '')
}

/** Creates a file with a header. */
export function fileOf(rows: readonly string[], name = 'collection.csv') {
  return { name, mimeType: 'text/csv', buffer: Buffer.from([HEADER, ...rows].join('\n')) }
}

/** 1,000 rows, 40 of them doubtful. */
export const FILE = fileOf([
  ...certainRows(960),
  ...Array<string>(20).fill(GUESSED),
  ...Array<string>(10).fill(ASSUMED),
  ...Array<string>(6).fill(NOT_FOUND),
  ...Array<string>(4).fill(LEFT_OUT),
])

/** Starts a server before the tests of a group, and opens imports of new accounts on it. */
export function openImportPages() {
  let server: ImportServer
  let addresses = 0
  beforeAll(async () => {
    const folder = createTempFolder('cardstock-import-page-')
    await finishSetup(folder)
    server = await startImportServer({}, folder)
  })

  /** Opens the collection of a new account. */
  async function openImporter(screen: ImportScreen = DESKTOP) {
    const [importer] = await server.createImporters(1, 'pro', `192.0.2.${++addresses}`)
    if (importer === undefined) throw new Error('no account was created')
    const user = await openBrowserUser(server.url, screen)
    const [name = '', value = ''] = importer.cookie.split('=')
    await user.context.addCookies([{ name, value, url: server.url, httpOnly: true }])
    await user.page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    await openCollection(user.page, importer.collection)
    return { ...user, importer }
  }

  async function openCollection(page: Page, collection: string): Promise<void> {
    await page.goto(`${server.url}/collection/${collection}`)
    await page.getByRole('heading', { level: 1, name: 'Box' }).waitFor()
  }

  return {
    server: () => server,
    openImporter,
    openCollection,
    /** Opens the draft of a file in the collection of a new account. */
    async openDraft(screen?: ImportScreen, file = FILE) {
      const user = await openImporter(screen)
      await sendFile(user.page, file)
      await whenShown(user.page)
      return user
    },
  }
}

/** Sends a file from the page of a collection. */
export async function sendFile(page: Page, file: ReturnType<typeof fileOf>): Promise<void> {
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Waits until the rows of a draft are shown. */
export async function whenShown(page: Page): Promise<void> {
  await page.waitForURL(/\/import\/imp_/)
  await page.getByRole('heading', { name: /^Certain/ }).waitFor()
}

/** Presses Tab until an element has the focus. Each element that gets it on the way is visible, and not covered. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; !(await isThere()); presses++) {
    if (presses === TABS_MAX) throw new Error(`${target} cannot be reached with Tab`)
    await page.keyboard.press('Tab')
    const covered = await page.evaluate<string>(DESCRIBE_COVERED)
    if (covered !== '') throw new Error(`this has the focus, but something covers it: ${covered}`)
  }
}

const TABS_MAX = 300

/** Describes the element with the focus if something covers it; otherwise an empty text. */
const DESCRIBE_COVERED = `(() => {
  const element = document.activeElement
  const { x, y, width, height } = element.getBoundingClientRect()
  if (element === document.body || width < 2) return ''
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  const isSeen = top !== null && (element.contains(top) || top.contains(element))
  return isSeen ? '' : element.outerHTML.slice(0, 200)
})()`
