import { ServiceError } from '../primitives/errors.ts'

/** A photo whose header was valid, but not its pixels: the reader spent time before it could reject it. */
export class DamagedPhoto extends ServiceError {
  constructor(message: string) {
    super('INVALID_IMAGE', message)
  }
}
