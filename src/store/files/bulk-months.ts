import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import { listFolder, readIfExists } from './folder-entries.ts'

/** The history of a month, and the mark of the points that its file has. */
export type BulkMonth = { month: string; mark: string }

/** Published facts about the file of a month. */
export type BulkMonthFacts = Pick<BulkFile, 'size' | 'sha256' | 'rows' | 'updated_at'>

/** A part of the file, before compression. */
export type BulkMonthPart = { bytes: Uint8Array; rows: number }

/** Files of the history by month, which stay from version to version until their month has other points. */
export type BulkMonths = {
  /** Returns the facts of a complete file; undefined if it must be written. */
  find(bulkMonth: BulkMonth): BulkMonthFacts | undefined
  /** Compresses a file. It is not found before it is kept. */
  write(parts: Iterable<BulkMonthPart>): Promise<Omit<BulkMonthFacts, 'updated_at'>>
  /** Keeps the file that was written. */
  keep(bulkMonth: BulkMonth, facts: BulkMonthFacts): void
  /** Adds a file to those of a version. */
  link(bulkMonth: BulkMonth, to: string): void
  /** Deletes all files except these. */
  removeOthers(months: readonly BulkMonth[]): void
}

/** @param root folder of the bulk files, which is locked */
export function openBulkMonths(root: string): BulkMonths {
  const folder = join(root, 'history')
  const pathOf = (bulkMonth: BulkMonth) => join(folder, nameOf(bulkMonth))
  const draft = join(folder, 'draft')
  return {
    find(bulkMonth) {
      if (!existsSync(pathOf(bulkMonth))) return undefined
      const text = readIfExists(() => readFileSync(`${pathOf(bulkMonth)}.json`, 'utf8'), 'ENOENT')
      // Written only by `keep`, and complete as soon as it has its name.
      return text === undefined ? undefined : (JSON.parse(text) as BulkMonthFacts)
    },
    write(parts) {
      mkdirSync(folder, { recursive: true })
      return compress(draft, parts)
    },
    keep(bulkMonth, facts) {
      renameSync(draft, pathOf(bulkMonth))
      writeFileSync(draft, JSON.stringify(facts), { flush: true })
      renameSync(draft, `${pathOf(bulkMonth)}.json`)
    },
    link(bulkMonth, to) {
      try {
        linkSync(pathOf(bulkMonth), to)
      } catch {
        // Some file systems have no links.
        copyFileSync(pathOf(bulkMonth), to)
      }
    },
    removeOthers(months) {
      const names = months.map(nameOf).flatMap((name) => [name, `${name}.json`])
      for (const name of listFolder(folder)) {
        if (!names.includes(name)) rmSync(join(folder, name), { force: true })
      }
    },
  }
}

/** Another layout of the files needs another number, so that all are written again. */
const LAYOUT = 1

function nameOf({ month, mark }: BulkMonth): string {
  return `${month}-${mark}-${LAYOUT}`
}

/** Writes one Zstandard frame, because some readers stop after the first. The file is never in memory. */
async function compress(
  path: string,
  parts: Iterable<BulkMonthPart>,
): Promise<Omit<BulkMonthFacts, 'updated_at'>> {
  const file = openSync(path, 'w')
  const hash = createHash('sha256')
  let size = 0
  let rows = 0
  function* bytesOf(): Generator<Uint8Array> {
    for (const part of parts) {
      rows += part.rows
      yield part.bytes
    }
  }
  try {
    await pipeline(Readable.from(bytesOf()), createZstdCompress(), async (packed) => {
      for await (const bytes of packed as AsyncIterable<Uint8Array>) {
        hash.update(bytes)
        size += bytes.length
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
      }
    })
    fsyncSync(file)
    return { size, sha256: hash.digest('hex'), rows }
  } finally {
    closeSync(file)
  }
}
