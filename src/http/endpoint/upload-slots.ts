import { ServiceError } from '#rules/primitives/errors.ts'

/** How many may send at the same time: all together, and from one address. */
export type UploadLimits = { total: number; perClient: number }

/**
 * Places for photos of strangers, who have paid nothing yet: each may take the memory of a whole photo
 * for as long as it is sent.
 */
export function createUploadSlots({ total, perClient }: UploadLimits) {
  const taken = new Map<string, number>()
  let sum = 0

  function leave(address: string): void {
    sum--
    const left = (taken.get(address) ?? 0) - 1
    if (left > 0) taken.set(address, left)
    else taken.delete(address)
  }

  return {
    /** @throws ServiceError PAYMENT_UNAVAILABLE where there is no place */
    async run<Read>(address: string, read: () => Promise<Read>): Promise<Read> {
      const own = taken.get(address) ?? 0
      if (sum >= total || own >= perClient) {
        throw new ServiceError(
          'PAYMENT_UNAVAILABLE',
          // Its sender may have paid before, and only ask for the answer once more.
          'Too many photos are being sent. Send the same photo and PAYMENT-SIGNATURE again: you will not pay twice.',
          { retryAfter: 1 },
        )
      }
      sum++
      taken.set(address, own + 1)
      return await read().finally(() => leave(address))
    },
  }
}
