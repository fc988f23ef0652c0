import { ServiceError } from '#rules/primitives/errors.ts'

/** Maximum number of uploads at a time: in total, and from one client address. */
export type UploadLimits = { total: number; perClient: number }

/** Limits uploads of clients who have not paid yet: each holds the memory of a whole photo. */
export type UploadSlots = {
  /** @throws ServiceError PAYMENT_UNAVAILABLE if no slot is free */
  run<Read>(address: string, read: () => Promise<Read>): Promise<Read>
}

export function createUploadSlots({ total, perClient }: UploadLimits): UploadSlots {
  const byClient = new Map<string, number>()
  let count = 0

  function release(address: string): void {
    count--
    const rest = (byClient.get(address) ?? 0) - 1
    if (rest > 0) byClient.set(address, rest)
    else byClient.delete(address)
  }

  return {
    async run(address, read) {
      const own = byClient.get(address) ?? 0
      if (count >= total || own >= perClient) {
        throw new ServiceError(
          'PAYMENT_UNAVAILABLE',
          // The client may have paid before, and only request the result again.
          'Too many uploads. Send the same photo and PAYMENT-SIGNATURE again: you will not pay twice.',
          { retryAfter: 1 },
        )
      }
      count++
      byClient.set(address, own + 1)
      return await read().finally(() => release(address))
    },
  }
}
