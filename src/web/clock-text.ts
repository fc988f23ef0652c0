import { locale } from './format.ts'

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

/** Formats the time of day: "6:05 PM". */
export function clockText(time: string): string {
  return clock.format(new Date(time))
}
