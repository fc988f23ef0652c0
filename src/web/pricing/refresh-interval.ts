/** Returns how often a game is refreshed, by its priority. */
export function refreshInterval(priority: number): string {
  return REFRESH_INTERVALS[priority] ?? 'weekly'
}

const REFRESH_INTERVALS: Readonly<Record<number, string>> = {
  3: 'daily',
  2: 'every 3 days',
  1: 'every 4 days',
}
