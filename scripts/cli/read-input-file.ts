import { stat } from 'node:fs/promises'
import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * Reads a file that is an argument of a command. Refuses devices and pipes, which may never end.
 *
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR if it is not a regular file
 */
export async function readInputFile(path: string): Promise<Uint8Array> {
  const file = await stat(path).catch(() => unreadable(path))
  if (!file.isFile()) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `${path} is not a regular file, but a folder, a device or a pipe. Give a file.`,
    )
  }
  return Bun.file(path)
    .bytes()
    .catch(() => unreadable(path))
}

function unreadable(path: string): never {
  throw new ServiceError('NOT_FOUND', `The file could not be read: ${path}`)
}
