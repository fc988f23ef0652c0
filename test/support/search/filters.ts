// Filters of a list, which are in a sheet on a phone.
import type { Page } from 'playwright-core'

/** Shows the filters, if a button hides them. */
export async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Filters/ })
  if (!(await button.isVisible())) return
  await button.click()
  await page.getByRole('dialog', { name: 'Filters' }).waitFor()
}

/** Closes the sheet of the filters, if there is one. */
export async function closeFilters(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  if (!(await sheet.isVisible())) return
  await sheet.getByRole('button', { name: 'Show results' }).click()
  await sheet.waitFor({ state: 'detached' })
}
