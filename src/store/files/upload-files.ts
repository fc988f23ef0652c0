import { closeSync, mkdirSync, openSync, readSync, rmSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FileBytes } from '#rules/primitives/file-bytes.ts'
import { listFolder } from './folder-entries.ts'

/** The body of a request on disk. All threads of this process can read it by its descriptor. */
export type UploadFile = FileBytes & {
  descriptor: number
  /** Deletes the body. */
  close(): void
}

/** Bodies of requests that wait for minutes, which would take too much memory. */
export type UploadFileStore = {
  /** Stores a body. Throws the error of the system if the disk is full. */
  put(bytes: Uint8Array): Promise<UploadFile>
}

/** Opens the folder of the bodies. Deletes what a process that was killed may have left. */
export function openUploadFiles(dataDir: string): UploadFileStore {
  const folder = join(dataDir, 'uploads')
  for (const name of listFolder(folder)) rmSync(join(folder, name), { force: true })

  return {
    async put(bytes) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, crypto.randomUUID())
      const descriptor = openSync(path, 'wx+', 0o600)
      // The system keeps a deleted file until the process closes it, or ends in any way.
      rmSync(path, { force: true })
      try {
        await writeAll(descriptor, bytes)
      } catch (error) {
        closeSync(descriptor)
        throw error
      }
      return {
        ...readUploadFile(descriptor, bytes.length),
        descriptor,
        close: () => closeSync(descriptor),
      }
    },
  }
}

/** Reads a body by its descriptor, also in another thread. */
export function readUploadFile(descriptor: number, length: number): FileBytes {
  return {
    length,
    subarray(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, length) - start))
      let read = 0
      while (read < bytes.length) {
        const more = readSync(descriptor, bytes, read, bytes.length - read, start + read)
        if (more === 0) throw new Error('the body of a request was cut on disk')
        read += more
      }
      return bytes
    },
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await writeSome(descriptor, bytes, written)).bytesWritten
  }
}

const writeSome = promisify(write)
