import { ServiceError } from '../primitives/errors.ts'

/** A photo whose client left before it was read. Nobody receives the error. */
export class ClientLeft extends ServiceError {
  /** @param hasBegun true if the reader may already have spent time on the photo */
  constructor(readonly hasBegun: boolean) {
    super('INVALID_IMAGE', 'The connection ended before the photo was read. Send it again.')
  }
}
