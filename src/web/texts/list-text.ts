import { locale } from '../format.ts'

const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })

/** "Kanto, Johto, Hoenn" */
export function listText(items: readonly string[]): string {
  return list.format(items)
}
