import { ServiceError } from '#rules/primitives/errors.ts'

/** Reads a file that is an argument of a command. @throws ServiceError NOT_FOUND */
export async function readInputFile(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).bytes()
  } catch {
    throw new ServiceError('NOT_FOUND', `The file could not be read: ${path}`)
  }
}
