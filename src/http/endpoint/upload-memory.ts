import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import type { ReserveBytes } from '../input/read-body.ts'

/** Most bytes that the bodies of requests in progress may hold. */
export type UploadLimits = {
  /** Limit for all clients. */
  total: number
  /** Limit for all clients and bodies of at most `small` bytes: the excess over `total` is only for them. */
  totalWithSmall: number
  small: number
  /** Limit for all clients without an account. */
  strangers: number
  /** Limit for a client network. */
  network: number
  /** Limit for an account, or for the clients of a network without one. */
  owner: number
}

const MIB = 1024 * 1024

/**
 * Keeps a server with 250 clients who send 8 MB each below 600 MB, measured with forms, whose decoding needs
 * more copies. An account can send three of the largest photos at once, a network five, all clients twelve.
 */
export const UPLOAD_LIMITS: UploadLimits = {
  total: 96 * MIB,
  totalWithSmall: 112 * MIB,
  small: 64 * 1024,
  strangers: 48 * MIB,
  network: 40 * MIB,
  owner: 24 * MIB,
}

/** Sender of a body. */
export type Uploader = {
  address: string
  /** Undefined if nobody has authenticated as an account. */
  account_id: number | undefined
  /** Code for a rejection, if not the usual ones. */
  busyCode?: ErrorCode
}

/** Limits the memory that the bodies of requests in progress hold. */
export type UploadMemory = {
  /**
   * Reserves memory for the body of a request until `use` has settled: the body is held until then. Reserves
   * the declared length; a body in chunks reserves more as it arrives.
   *
   * @throws ServiceError TOO_MANY_ATTEMPTS if the sender holds too much, UNAVAILABLE if all senders do
   */
  hold<Result>(
    request: Request,
    body: Uploader & { bytesMax: number },
    use: (reserve: ReserveBytes) => Result | Promise<Result>,
  ): Promise<Result>
}

/** Shared by all clients, by those without an account, by a network or by an account. */
type Pool = { name: string; bytesMax: number; isOwn: boolean }

export function createUploadMemory(limits: UploadLimits = UPLOAD_LIMITS): UploadMemory {
  const held = new Map<string, number>()

  function poolsOf({ address, account_id }: Uploader, bytes: number): Pool[] {
    const network = clientNetwork(address)
    const isStranger = account_id === undefined
    const total = bytes <= limits.small ? limits.totalWithSmall : limits.total
    return [
      {
        name: isStranger ? `stranger ${network}` : `account ${account_id}`,
        bytesMax: limits.owner,
        isOwn: true,
      },
      { name: `network ${network}`, bytesMax: limits.network, isOwn: true },
      ...(isStranger ? [{ name: 'strangers', bytesMax: limits.strangers, isOwn: false }] : []),
      { name: 'all', bytesMax: total, isOwn: false },
    ]
  }

  function add(name: string, bytes: number): void {
    const sum = (held.get(name) ?? 0) + bytes
    if (sum > 0) held.set(name, sum)
    else held.delete(name)
  }

  return {
    async hold(request, { bytesMax, ...uploader }, use) {
      let reserved = 0
      const reserve = (bytes: number) => {
        const more = bytes - reserved
        const pools = poolsOf(uploader, bytes)
        const full = pools.find((pool) => (held.get(pool.name) ?? 0) + more > pool.bytesMax)
        if (full !== undefined) throw rejection(full, uploader.busyCode)
        for (const { name } of pools) add(name, more)
        reserved = bytes
      }
      reserve(Math.min(declaredLength(request), bytesMax))
      try {
        return await use(reserve)
      } finally {
        for (const { name } of poolsOf(uploader, reserved)) add(name, -reserved)
      }
    },
  }
}

/** Returns the declared length of a body; 0 without a body or in chunks. */
function declaredLength({ headers, body }: Request): number {
  return body === null ? 0 : Number(headers.get('content-length') ?? 0)
}

function rejection({ isOwn }: Pool, busyCode: ErrorCode | undefined): ServiceError {
  const code = busyCode ?? (isOwn ? 'TOO_MANY_ATTEMPTS' : 'UNAVAILABLE')
  return new ServiceError(code, `${isOwn ? OWN_UPLOADS : ALL_UPLOADS} ${SEND_AGAIN}`, {
    retryAfter: RETRY_AFTER,
  })
}

const OWN_UPLOADS = 'Too many of your uploads are in progress: each counts until its response.'
const ALL_UPLOADS = 'Too many uploads are in progress.'
// A photo may have been paid for before, and only its result be requested again.
const SEND_AGAIN = 'Send the same request again: you will not pay twice.'

/** Seconds in which a photo is usually read. */
const RETRY_AFTER = 1
