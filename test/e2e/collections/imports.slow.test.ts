// Browser tests of the page of an import: 1,000 rows with a keyboard alone, undo, two tabs, and a restart of the server.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  describeInBrowser,
  expectFocused,
  expectVisible,
  type Page,
} from '../../support/browser.ts'
import {
  certainRows,
  DESKTOP,
  FILE,
  fileOf,
  GUESSED,
  HEADER,
  LEFT_OUT,
  NOT_FOUND,
  openImportPages,
  PHONE,
  sendFile,
  TABLET,
  tabTo,
  whenShown,
} from '../../support/collections/import-page.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'

describeInBrowser('imports', () => {
  const { server, openImporter, openDraft } = openImportPages()

  describe.each([
    ['a phone', PHONE],
    ['a tablet', TABLET],
    ['a desktop', DESKTOP],
  ] as const)('on %s', (_, screen) => {
    test('shows 1,000 rows by certainty, without shifts and violations', async () => {
      const user = await openDraft(screen)
      const { page, inspect } = user
      const totals = page.getByRole('row')
      expect((await totals.allTextContents()).slice(1).map((text) => text.split('$')[0])).toEqual([
        'Guessed20',
        'Assumed10',
        'Not found6',
        'Left out4',
        'Certain960',
      ])
      await expectVisible(page.getByText(/^\d columns used, \d not used$/))
      await expectVisible(page.getByText('Not used: Shelf'))
      const readShifts = await watchLayoutShifts(page)
      await page.reload()
      await whenShown(page)
      await page.getByText('This card has another number').first().waitFor()
      const { sum, moved } = await readShifts()
      expect(sum, moved).toBeLessThan(0.02)
      expect(await inspect('import-draft')).toEqual([])
      expect(await listSmallTargets(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await user.closeClean()
    })
  })

  test('is imported and undone with the keyboard alone', async () => {
    const user = await openImporter()
    const { page, importer } = user
    // Watched from the beginning, so that the browser has no dialog of its own.
    const chooser = page.waitForEvent('filechooser')
    await tabTo(page, page.getByRole('button', { name: 'Import' }))
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await tabTo(page, dialog.getByRole('button', { name: 'Choose file' }))
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(FILE)
    await tabTo(page, dialog.getByRole('button', { name: 'Continue' }))
    await page.keyboard.press('Enter')
    await whenShown(page)
    await expectFocused(page.getByRole('heading', { level: 1 }))

    const guessed = page.getByRole('list', { name: /^Guessed/ }).getByRole('listitem')
    const first = guessed.filter({ hasText: 'Row' }).first()
    await tabTo(page, first.getByRole('button', { name: /^Accept/ }))
    await page.keyboard.press('Enter')
    await first.getByRole('button', { name: /Accept/, pressed: true }).waitFor()
    // The rows are three controls and a link apart; an arrow is enough.
    await page.keyboard.press('ArrowDown')
    const second = page.locator('.import-rows').first().locator('.import-row').nth(1)
    await expectFocused(second.getByRole('button', { name: /^Accept/ }))
    await tabTo(page, second.getByRole('button', { name: /^Other card/ }))
    await page.keyboard.press('Enter')
    await tabTo(page, dialog.getByLabel('Card'))
    await page.keyboard.type('saint orrery')
    await dialog.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await second.getByText('Saint Orrery').waitFor()
    await expectFocused(second.getByRole('button', { name: /^Other card/ }))

    const missing = page.getByRole('region', { name: /^Not found/ })
    await tabTo(page, missing.getByRole('button', { name: 'Skip all 6' }))
    await page.keyboard.press('Enter')
    await missing.getByRole('button', { name: /Skip/, pressed: true }).first().waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Import 972 rows' }))
    await page.keyboard.press('Enter')
    await page.getByText('972 of 1,000 rows').waitFor()
    await expectFocused(page.getByRole('heading', { level: 1 }))
    expect(await server().countItems(importer)).toBe(972)
    expect(await user.inspect('import-result')).toEqual([])

    await tabTo(page, page.getByRole('button', { name: 'Undo import' }))
    await page.keyboard.press('Enter')
    await tabTo(page, dialog.getByRole('button', { name: 'Undo import' }))
    await page.keyboard.press('Enter')
    await page.getByText('972 items were removed').waitFor()
    await expectFocused(page.getByRole('heading', { level: 1 }))
    expect(await server().countItems(importer)).toBe(0)
    await user.closeClean()
  })

  test('of a pasted list keeps changed items when it is undone', async () => {
    const user = await openImporter(PHONE)
    const { page, importer } = user
    await page.getByRole('button', { name: 'Import' }).click()
    await expectVisible(page.getByText(/Known apps: TCGplayer, Moxfield/))
    expect(await user.inspect('import-dialog')).toEqual([])
    const list = '2 Cindle [Tidepool Parade]\n1 Saint Orrery\n1 Nobody at all'
    await page.getByLabel('Or paste a list').fill(list)
    await page.getByLabel('Card of rows without a set').selectOption('Of the newest set')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 of 3 rows').waitFor()
    const url = page.url()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.getByRole('button', { name: 'Edit Saint Orrery' }).click()
    await page.getByLabel('Quantity').fill('7')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is saved.').waitFor()
    await page.goto(url)
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('1 item was removed').waitFor()
    await expectVisible(page.getByRole('main').getByRole('link', { name: 'Saint Orrery' }))
    expect(await server().countItems(importer)).toBe(1)
    expect(await user.inspect('import-undone')).toEqual([])
    await user.closeClean()
  })

  test('saves the rows that were not imported', async () => {
    const user = await openDraft()
    const { page } = user
    await page.getByRole('button', { name: 'Skip all 20' }).click()
    await page.getByRole('button', { name: 'Import 970 rows' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download 30 rows' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Box-not-imported.csv')
    const [header, ...rows] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(header).toBe(`${HEADER},reason`)
    expect(rows).toHaveLength(30)
    expect([...new Set(rows)]).toEqual([
      `${GUESSED},skipped_by_you`,
      `${NOT_FOUND},no_match`,
      `${LEFT_OUT},in_list`,
    ])
    await user.closeClean()
  })

  test('changed in two tabs loses nothing', async () => {
    const user = await openDraft()
    const { page, context, problems } = user
    const other = await context.newPage()
    await other.goto(page.url())
    await whenShown(other)
    const row = (tab: Page, at: number) =>
      tab.locator('.import-rows').first().locator('.import-row').nth(at)
    await row(other, 0).getByRole('button', { name: /^Skip/ }).click()
    await row(other, 0).getByRole('button', { name: /Skip/, pressed: true }).waitFor()

    await row(page, 1)
      .getByRole('button', { name: /^Accept/ })
      .click()
    const news = page.getByRole('region', { name: 'This import was changed elsewhere' })
    await news.waitFor()
    expect(await news.textContent()).toMatch(
      /Guessed: now 0 rows accepted and 1 skipped.*Row \d+: Cindle/,
    )
    await row(page, 0).getByRole('button', { name: /Skip/, pressed: true }).waitFor()
    expect(await user.inspect('import-conflict')).toEqual([])
    await expectFocused(news)
    await news.getByRole('button', { name: 'Save my change' }).click()
    await row(page, 1)
      .getByRole('button', { name: /Accept/, pressed: true })
      .waitFor()
    await expectVisible(row(page, 0).getByRole('button', { name: /Skip/, pressed: true }))

    await page.getByRole('button', { name: 'Import 971 rows' }).click()
    await page.getByText('971 of 1,000 rows').waitFor()
    await row(other, 2).getByRole('button', { name: /^Skip/ }).click()
    await other.getByText('971 of 1,000 rows').waitFor()
    await expectVisible(other.getByText('Its rows can no longer be decided'))
    // The browser's console reports a conflict as an error.
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
    await user.close()
  })

  test('survives a restart of the server', async () => {
    const user = await openDraft()
    const { page, importer, problems } = user
    const row = page.locator('.import-rows').first().locator('.import-row').first()
    await row.getByRole('button', { name: /^Accept/ }).click()
    await row.getByRole('button', { name: /Accept/, pressed: true }).waitFor()
    await server().stop()
    await page.getByRole('button', { name: 'Skip all 6' }).click()
    await page.getByText('Can’t reach the server').first().waitFor()
    await server().start()
    await page.getByRole('button', { name: 'Skip all 6' }).click()
    await page
      .getByRole('list', { name: /^Not found/ })
      .getByRole('button', { name: /Skip/, pressed: true })
      .first()
      .waitFor()
    await page.reload()
    await whenShown(page)
    await row.getByRole('button', { name: /Accept/, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Import 971 rows' }).click()
    await page.getByText('971 of 1,000 rows').waitFor()
    expect(await server().countItems(importer)).toBe(971)
    expect(problems.filter((problem) => !problem.includes('ERR_CONNECTION'))).toEqual([])
    await user.close()
  })

  test('that a killed server has begun is continued', async () => {
    const user = await openImporter()
    const { page, importer, problems } = user
    await sendFile(page, fileOf(certainRows(20_000)))
    await page.getByRole('button', { name: 'Import 20,000 rows' }).click({ timeout: 90_000 })
    await server().killOnce(importer, (count) => count >= 5_000)
    await server().start()
    await page.getByRole('button', { name: 'Continue import' }).click()
    await page.getByText('20,000 of 20,000 rows').waitFor({ timeout: 90_000 })
    expect(await server().countItems(importer)).toBe(20_000)
    expect(problems.filter((problem) => !/ERR_|503/.test(problem))).toEqual([])
    await user.close()
  })

  test('that a killed server has begun is undone, also by a server that is killed', async () => {
    const user = await openImporter()
    const { page, importer, problems } = user
    await sendFile(page, fileOf(certainRows(20_000)))
    // The page has not heard that the import began: its only answer got lost.
    const polls = `${server().url}/v1/imports/*`
    await page.getByRole('button', { name: 'Import 20,000 rows' }).waitFor({ timeout: 90_000 })
    await page.route(polls, (route) =>
      route.request().method() === 'GET' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Import 20,000 rows' }).click()
    const items = await server().killOnce(importer, (count) => count >= 5_000)
    await server().start()
    await page.getByRole('button', { name: 'Undo import' }).click()
    const undo = page.getByRole('dialog').getByRole('button', { name: 'Undo import' })
    await page.unroute(polls)
    await undo.click()
    const left = await server().killOnce(importer, (count) => count < items)
    await page.getByRole('dialog').getByText('Can’t reach the server').waitFor()
    await server().start()
    expect(left).toBeGreaterThan(0)
    expect(await server().countItems(importer)).toBe(left)
    await page.reload()
    const removed = (items - left).toLocaleString('en')
    await page.getByText(`${removed} items were removed`).waitFor()
    await expectVisible(page.getByText('The undo was interrupted, or runs in another tab.'))
    expect(await user.inspect('import-undoing')).toEqual([])
    await page.getByRole('button', { name: 'Continue undo' }).click()
    const all = items.toLocaleString('en')
    await page.getByText(`${all} items were removed`).waitFor({ timeout: 90_000 })
    await expectFocused(page.getByRole('heading', { level: 1 }))
    expect(await server().countItems(importer)).toBe(0)
    expect(problems.filter((problem) => !/ERR_|503/.test(problem))).toEqual([])
    await user.close()
  })

  test('that has ended says what to do', async () => {
    const user = await openDraft()
    const { page, problems } = user
    const url = page.url()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { level: 1, name: 'Box' }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This import has ended' }).waitFor()
    expect(await user.inspect('import-ended')).toEqual([])
    await page.getByRole('link', { name: 'Open collections' }).click()
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
    // The browser's console reports the 404 as an error.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
    await user.close()
  })
})

/** Lists the controls of the page that are lower than 40 pixels, without the breadcrumbs. */
function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(
      'main :is(.import-page, .page-head) :is(a, button, select, input, summary)',
    )]
    .filter((element) => element.getBoundingClientRect().height < 40)
    .map((element) => element.outerHTML.slice(0, 100))`)
}
