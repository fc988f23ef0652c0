// Browser tests of the drafts of imports: changes of the copies of a row, and the list of open imports.
import { expect, test } from 'bun:test'
import { describeInBrowser, expectFocused, expectVisible } from '../../support/browser.ts'
import {
  ASSUMED,
  certainRows,
  fileOf,
  GUESSED,
  openImportPages,
  PHONE,
  sendFile,
  tabTo,
  whenShown,
} from '../../support/collections/import-page.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'

describeInBrowser('drafts of imports', () => {
  const { server, openCollection, openImporter, openDraft } = openImportPages()

  test('change the copies of a row with the keyboard alone, and the totals follow', async () => {
    const user = await openDraft(PHONE, fileOf([...certainRows(1), GUESSED, ASSUMED]))
    const { page, importer } = user
    const row = page.getByRole('listitem').filter({ hasText: 'Tide Clerk' })
    const total = page.getByRole('region', { name: 'Import', exact: true }).getByRole('status')
    const before = amountOf(await total.textContent())
    const price = amountOf(await row.locator('.import-value').textContent())
    await tabTo(page, row.locator('summary'))
    await page.keyboard.press('Enter')
    await tabTo(page, row.getByLabel('Quantity'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await expectVisible(row.getByText('Enter a number from 1 to 100,000.'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await row.getByText('12 × Near mint').waitFor()
    await expectFocused(row.getByLabel('Quantity'))
    expect(amountOf(await total.textContent())).toBeCloseTo(before + 11 * price)
    // Each is saved while the one before may be on its way.
    await page.keyboard.press('Tab')
    await page.keyboard.press('D')
    await page.keyboard.press('Tab')
    await page.keyboard.press('J')
    await row.getByText('12 × Damaged · Japanese').waitFor()
    expect(await user.inspect('import-copies')).toEqual([])

    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 of 3 rows').waitFor()
    const path = `/v1/collections/${importer.collection}/items?sort=added_asc`
    const { data } = await (await server().request(path, importer)).json()
    expect(data[1]).toMatchObject({
      name: 'Tide Clerk',
      quantity: 12,
      condition: 'damaged',
      language: 'ja',
    })
    await user.closeClean()
  })

  test('are listed with their files, continued and discarded, and the oldest of three is named', async () => {
    const user = await openImporter(PHONE)
    const { page, importer } = user
    for (const name of ['first.csv', 'second.csv', 'a-very-long-name-of-a-file-of-cards.csv']) {
      await sendFile(page, fileOf([...certainRows(2), GUESSED], name))
      await whenShown(page)
      await openCollection(page, importer.collection)
    }
    await page.getByRole('button', { name: 'Import' }).click()
    const hint = page.getByRole('dialog').getByText(/You have 3 open imports, as many as/)
    await hint.waitFor()
    expect(await hint.textContent()).toContain('This one will replace “first.csv”')
    expect(await user.inspect('import-dialog-full')).toEqual([])
    await hint.getByRole('link', { name: '3 open imports' }).click()

    const list = page.getByRole('region', { name: 'Open imports' })
    const entries = list.getByRole('listitem')
    await entries.first().waitFor()
    expect(await entries.locator('strong').allTextContents()).toEqual([
      'a-very-long-name-of-a-file-of-cards.csv',
      'second.csv',
      'first.csv',
    ])
    const last = await entries.last().textContent()
    expect(last).toMatch(/To “Box” · 3 rows, 1 not decided · kept until \w{3} \d/)
    const readShifts = await watchLayoutShifts(page)
    await page.reload()
    await entries.first().waitFor()
    await page.getByRole('link', { name: 'Box' }).first().waitFor()
    const { sum, moved } = await readShifts()
    expect(sum, moved).toBeLessThan(0.02)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await user.inspect('open-imports')).toEqual([])

    await entries.nth(1).getByRole('button', { name: 'Discard second.csv' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('“second.csv”').waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    const done = page.getByText('“second.csv” is discarded.')
    await done.waitFor()
    await expectFocused(done)
    await list.getByRole('link', { name: 'Continue first.csv' }).click()
    await whenShown(page)
    await expectVisible(page.getByText(/^first\.csv, 3 rows\. Nothing is in “[^”]+” yet/))
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 of 3 rows').waitFor()
    await page.getByRole('link', { name: 'Collections' }).first().click()
    await entries.first().waitFor()
    expect(await entries.locator('strong').allTextContents()).toEqual([
      'a-very-long-name-of-a-file-of-cards.csv',
    ])
    await user.closeClean()
  })

  test('that another tab has imported are not discarded', async () => {
    const user = await openDraft(PHONE, fileOf(certainRows(2)))
    const { page, context, importer, problems } = user
    const other = await context.newPage()
    await other.goto(`${server().url}/collection`)
    const list = other.getByRole('region', { name: 'Open imports' })
    await list.getByRole('button', { name: 'Discard collection.csv' }).click()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('2 of 2 rows').waitFor()
    await other.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await other.getByText('“collection.csv” was changed in another tab.').waitFor()
    await list.waitFor({ state: 'detached' })
    expect(await server().countItems(importer)).toBe(2)
    // The browser's console reports the conflict as an error.
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
    await user.close()
  })
})

/** Reads the first amount of a text, such as "$12.50". */
function amountOf(text: string | null): number {
  return Number(/\$([\d,.]+)/.exec(text ?? '')?.[1]?.replaceAll(',', ''))
}
