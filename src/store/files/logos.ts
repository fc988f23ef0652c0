import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { readIfExists } from './folder-entries.ts'

/** A logo of a game or an icon of a set, provided by the operator as a file. */
export type LogoFile = {
  path: string
  /** Media type, by the first bytes of the file. */
  type: string
  /** Changes with the file. */
  version: string
}

/** Files of the folder `logos`: `pokemon.png` for a game by its slug, `sets/604.png` for a set by its id. */
export type Logos = {
  /** Changes when a logo is added, replaced or removed; empty without logos. @param now as of `performance.now()` */
  getTag(now?: number): string
  /** Returns a logo by its file, such as `sets/604.png`; undefined without such an image. */
  find(file: string): LogoFile | undefined
  /** Returns the relative URL of a logo by its name, such as `sets/604`; null without one. */
  getUrl(name: string): string | null
  /** Reads the folder again now. */
  refresh(): void
}

/** Logos of a catalog without a folder. */
export const NO_LOGOS: Logos = {
  getTag: () => '',
  find: () => undefined,
  getUrl: () => null,
  refresh: () => {},
}

/**
 * Opens the logos of a data folder. They are read now, and again after `recheckMs`, because the operator adds files
 * while the server runs. Links, other kinds of files and files over `BYTES_MAX` are skipped.
 */
export function openLogos(dataDir: string, recheckMs = RECHECK_MS): Logos {
  const folder = join(dataDir, 'logos')
  let byFile = new Map<string, LogoFile>()
  let urls = new Map<string, string>()
  let tag = ''
  let readAt = 0

  function refresh(): void {
    readAt = performance.now()
    const files = [
      ...listNames(folder).filter((file) => GAME_FILE.test(file)),
      ...listNames(join(folder, 'sets'))
        .filter((file) => SET_FILE.test(file))
        .map((file) => `sets/${file}`),
    ]
    const found = files.sort().flatMap((file): [string, LogoFile][] => {
      const logo = inspect(join(folder, file), byFile.get(file))
      return logo === undefined ? [] : [[file, logo]]
    })
    byFile = new Map(found)
    // Later entries replace earlier ones, so PNG, which the specification names, comes last.
    urls = new Map(
      found
        .reverse()
        .map(([file, { version }]) => [
          file.replace(/\.\w+$/, ''),
          `pictures/logos/${file}?v=${version}`,
        ]),
    )
    tag = urls.size === 0 ? '' : Bun.hash([...urls.values()].join()).toString(36)
  }

  function recheck(now = performance.now()): void {
    if (now - readAt >= recheckMs) refresh()
  }

  refresh()
  return {
    getTag(now) {
      recheck(now)
      return tag
    },
    find(file) {
      recheck()
      return byFile.get(file)
    },
    getUrl: (name) => urls.get(name) ?? null,
    refresh,
  }
}

/** Maximum size of a logo; a logo of 400x200 pixels has a tenth of it. */
const BYTES_MAX = 1_048_576
const RECHECK_MS = 60_000

const GAME_FILE = /^[a-z0-9-]{1,100}\.(png|webp)$/
const SET_FILE = /^[1-9]\d{0,14}\.(png|webp)$/

/** A folder without access must not fail the requests that look for logos. */
function listNames(folder: string): string[] {
  return readIfExists(() => readdirSync(folder), 'ENOENT', 'ENOTDIR', 'EACCES') ?? []
}

/** Reads the beginning of a file, unless it is already known. */
function inspect(path: string, known: LogoFile | undefined): LogoFile | undefined {
  const stats = readIfExists(() => lstatSync(path), 'ENOENT')
  if (stats === undefined || !stats.isFile() || stats.size > BYTES_MAX) return undefined
  const version = `${Math.trunc(stats.mtimeMs).toString(36)}-${stats.size.toString(36)}`
  if (known?.version === version) return known
  const type = readIfExists(() => readType(path), 'ENOENT', 'EACCES')
  return type === undefined ? undefined : { path, type, version }
}

/** Detects PNG and WebP by their signatures, because the names of files may be wrong. */
function readType(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(12)
    readSync(file, head)
    const text = head.toString('latin1')
    if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
    return /^RIFF.{4}WEBP$/s.test(text) ? 'image/webp' : undefined
  } finally {
    closeSync(file)
  }
}
