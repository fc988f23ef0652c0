import { Parser, type ReadEntry } from 'tar'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ArchiveLimits } from '#rules/sync/daily-layout.ts'

/** A file in an archive. `bytes` is undefined if it is damaged. */
export type ArchiveFile = { path: string; bytes: Uint8Array | undefined }

/** The files of an archive, in its order. */
export type ArchiveReader = {
  files(): AsyncIterable<ArchiveFile>
  /** Returns true if the archive ended too early. Call it after the last file. */
  isCut(): boolean
}

/** Checks the entries of an archive one by one. */
export type EntryCheck = (entry: { path: string; bytes: number; isLink: boolean }) => void

export type ReadOptions = {
  isWanted(path: string): boolean
  check: EntryCheck
  limits: ArchiveLimits
}

/** Reads the files of a TAR archive from its bytes, as far as it goes. */
export function readTar(
  chunks: AsyncIterable<Uint8Array>,
  { isWanted, check, limits }: ReadOptions,
): ArchiveReader {
  let isCut = true
  return {
    isCut: () => isCut,
    async *files() {
      let found: ArchiveFile[] = []
      let problem: unknown

      function onReadEntry(entry: ReadEntry): void {
        try {
          check({ path: entry.path, bytes: entry.size, isLink: !KINDS.has(entry.type) })
        } catch (error) {
          problem ??= error
        }
        const isRead = FILES.has(entry.type) && isWanted(entry.path)
        if (!isRead || problem !== undefined || entry.size > limits.fileBytes) {
          if (isRead) found.push({ path: entry.path, bytes: undefined })
          entry.resume()
          return
        }
        const parts: Buffer[] = []
        entry.on('data', (part: Buffer) => void parts.push(part))
        entry.on('end', () => {
          const bytes = Buffer.concat(parts)
          if (bytes.length === entry.size) found.push({ path: entry.path, bytes })
        })
      }

      const parser = new Parser({ onReadEntry })
      parser.on('warn', (code: string, message: string | Error) => {
        if (code === 'TAR_ENTRY_INVALID' || /Unrecognized/.test(String(message))) {
          problem ??= new ServiceError(
            'VALIDATION_ERROR',
            'The compressed file has no TAR archive, or a damaged one. Create it again.',
          )
        }
      })
      parser.on('eof', () => {
        isCut = false
      })
      for await (const chunk of chunks) {
        parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        if (problem !== undefined) throw problem
        yield* found
        found = []
      }
      parser.end()
      if (problem !== undefined) throw problem
      yield* found
    },
  }
}

const FILES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile'])
const KINDS: ReadonlySet<string> = new Set([...FILES, 'Directory', 'GNUDumpDir'])
