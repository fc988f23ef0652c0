import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDate } from '#rules/primitives/days.ts'

/** Files of prices of older days. */
export type DaySource = {
  /** Lists the days, `YYYY-MM-DD`, ascending. */
  listDates(): string[]
  /** Reads the files of a day. Reading the text of one may throw. */
  read(date: string): Iterable<DayFile>
}

export type DayFile = { name: string; readText(): string }

/**
 * Opens a folder of extracted archives: `YYYY-MM-DD/{category}/{group}/prices`, directly or below folders that
 * contain nothing else. Links are not followed.
 */
export function openDayFolder(path: string): DaySource {
  const root = findDays(path)
  return {
    listDates: () => listDates(root),
    *read(date) {
      for (const category of subfolders(join(root, date))) {
        for (const group of subfolders(join(root, date, category))) {
          const name = join(date, category, group, 'prices')
          yield { name, readText: () => readRegular(join(root, name)) }
        }
      }
    },
  }
}

/** Descends into single folders, such as `archive/tcgplayer`. */
function findDays(path: string): string {
  let root = path
  for (let depth = 0; depth < DEPTH_MAX && listDates(root).length === 0; depth++) {
    const [only, second] = subfolders(root)
    if (only === undefined || second !== undefined) return path
    root = join(root, only)
  }
  return root
}

const DEPTH_MAX = 3

function listDates(folder: string): string[] {
  return subfolders(folder).filter((name) => parseDate(name) !== undefined)
}

/** Lists folders, not links to them. */
function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

function readRegular(path: string): string {
  // A pipe or a device may never end, and a link may lead anywhere.
  if (!lstatSync(path).isFile()) throw new Error('it is not a regular file')
  return readFileSync(path, 'utf8')
}
