import { createReadStream } from 'node:fs'
import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { RejectedRecord } from '#rules/catalog/catalog-records.ts'
import { findRecordProblem } from '#rules/sync/cardmarket/file-problems.ts'
import type { ReadRecord } from '#rules/sync/cardmarket/files.ts'
import { createRecordReader } from '#rules/sync/record-reader.ts'
import { UpstreamFormatError } from '#rules/sync/upstream-shapes.ts'

/** Records of a file, and the object around their list. */
export type FileRecords<T> = {
  head: Record<string, unknown>
  records: T[]
  rejected: RejectedRecord[]
}

/**
 * Reads the list of a large file piece by piece, so that neither its whole text nor all of its objects are in memory.
 *
 * @param source path below the root, for messages, and the file on this machine
 * @param list name of the list
 * @throws UpstreamError if the file is not in the format, or many of its records are invalid
 */
export async function readRecords<T>(
  source: { path: string; file: string },
  list: string,
  read: (raw: unknown) => ReadRecord<T>,
): Promise<FileRecords<T>> {
  const reader = createRecordReader(list)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const records: T[] = []
  const rejected: RejectedRecord[] = []
  const add = (text: string) => {
    for (const raw of reader.push(text)) {
      const result = read(raw)
      if ('record' in result) records.push(result.record)
      else rejected.push(result.rejected)
    }
  }
  try {
    for await (const chunk of createReadStream(source.file)) add(decoder.decode(chunk, STREAM))
    add(decoder.decode())
    const head = reader.end()
    const problem = findRecordProblem(records.length, rejected.length)
    if (problem !== undefined) throw new UpstreamFormatError(problem)
    return { head, records, rejected }
  } catch (cause) {
    // The decoder throws a TypeError, or a RangeError for an encoding that it does not know.
    if (cause instanceof TypeError && cause.message.includes('decod')) {
      throw new UpstreamError(source.path, 'the file is not valid UTF-8.', { cause })
    }
    if (cause instanceof UpstreamFormatError) {
      throw new UpstreamError(source.path, cause.message, { cause })
    }
    throw cause
  }
}

const STREAM = { stream: true }
