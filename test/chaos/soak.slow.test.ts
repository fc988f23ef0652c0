// The service under mixed load, with concurrent syncs, backups, photos and price alerts: for some seconds here, for
// an hour with `bun run chaos soak`.
import { expect, test } from 'bun:test'
import { percentileOf } from '../support/chaos/load-task.ts'
import { CHAOS_SIZE } from '../support/chaos.ts'
import { runSoak, type SoakOptions, type SoakWindow } from './soak/soak.ts'

const MINUTES = Number(process.env.CARDSTOCK_CHAOS_MINUTES || 60)
const IS_FULL = CHAOS_SIZE === 'full'
const FULL: SoakOptions = {
  seconds: MINUTES * 60,
  rate: 80,
  windowSeconds: 60,
  syncEverySeconds: 150,
  backupEverySeconds: 240,
  photoEverySeconds: 5,
  sets: 80,
  cardsPerSet: 60,
  watched: 40,
  photoStatuses: ['200'],
}
const SHORT: SoakOptions = {
  seconds: 3,
  rate: 40,
  windowSeconds: 1,
  syncEverySeconds: 1,
  backupEverySeconds: 5,
  photoEverySeconds: 1,
  sets: 3,
  cardsPerSet: 8,
  watched: 3,
  // A busy machine that runs the short form may reject photos with a Retry-After.
  photoStatuses: ['200', '503'],
}
/** Accepted growth of the last windows over the first ones in a full run. */
const RSS_GROWTH_MAX_MB = 100
const DESCRIPTORS_GROWTH_MAX = 20
const WINDOWS_COMPARED = 5

test(
  'the service answers everything and loses no alert while syncs, backups and photos run',
  async () => {
    const options = IS_FULL ? { ...FULL, onWindow: printWindow } : SHORT
    const report = await runSoak(options)
    const { windows, ...totals } = report
    const [start, end] = compare(windows)
    const violations = IS_FULL ? [...totals.violations, ...growth(start, end)] : totals.violations
    console.info(JSON.stringify({ soak: { ...totals, violations, start, end } }))
    expect(violations).toEqual([])
    expect(report.alerts.delivered).toBeGreaterThan(0)
    expect(report.photos['200']).toBeGreaterThan(0)
    expect(Math.min(report.syncs, report.backups)).toBeGreaterThan(0)
  },
  (MINUTES + 15) * 60_000,
)

type Figures = { rss_mb: number; descriptors: number; p50: number; p99: number }

/** Compares the medians of the first and of the last windows. */
function compare(windows: readonly SoakWindow[]): [start: Figures, end: Figures] {
  const count = Math.max(1, Math.min(WINDOWS_COMPARED, Math.floor(windows.length / 2)))
  return [medians(windows.slice(0, count)), medians(windows.slice(-count))]
}

function medians(windows: readonly SoakWindow[]): Figures {
  const median = (of: (window: SoakWindow) => number) => percentileOf(windows.map(of), 50)
  return {
    rss_mb: median(({ rss_mb }) => rss_mb),
    descriptors: median(({ descriptors }) => descriptors),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
  }
}

function growth(start: Figures, end: Figures): string[] {
  const found: string[] = []
  if (end.rss_mb - start.rss_mb > RSS_GROWTH_MAX_MB) found.push('memory grew')
  if (end.descriptors - start.descriptors > DESCRIPTORS_GROWTH_MAX) found.push('descriptors grew')
  return found
}

function printWindow({ at, rss_mb, descriptors, p50, p99, max, statuses, unexpected }: SoakWindow) {
  const minute = Math.round(at / 60)
  const line = { minute, rss_mb, descriptors, p50, p99, max, statuses, unexpected }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
