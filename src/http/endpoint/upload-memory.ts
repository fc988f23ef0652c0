import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import type { ReserveBytes, UnfinishedUpload } from '../input/read-body.ts'

/** Maximum numbers of bytes in the bodies of requests in progress. */
export type UploadLimits = {
  /** Limit for all clients. */
  total: number
  /** Limit for all clients including bodies of at most `small` bytes, for which the excess over `total` is reserved. */
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
 * With this limit, a server with 250 clients that send 8 MB each needs less than 600 MB, measured with forms, whose
 * decoding needs more copies. An account can send three of the largest photos at once, a network five, all clients
 * twelve.
 */
export const UPLOAD_LIMITS: UploadLimits = {
  total: 96 * MIB,
  totalWithSmall: 112 * MIB,
  small: 64 * 1024,
  strangers: 48 * MIB,
  network: 40 * MIB,
  owner: 24 * MIB,
}

/** Limits of bodies that wait on disk: a network has room for those of some accounts, and small ones for themselves. */
export const STORED_UPLOAD_LIMITS: UploadLimits = {
  total: 1024 * MIB,
  totalWithSmall: 1152 * MIB,
  small: MIB,
  strangers: 0,
  network: 256 * MIB,
  owner: 64 * MIB,
}

/** Sender of a body. */
export type Uploader = {
  address: string
  /** Undefined if nobody has authenticated as an account. */
  account_id: number | undefined
  /** Code for a rejection, if different from the usual ones. */
  busyCode?: ErrorCode
}

/** Limits the memory, or the disk space, that the bodies of requests in progress hold. */
export type UploadMemory = {
  /**
   * Reserves memory for the body of a request until `use` has settled. Reserves the declared length; a body in chunks
   * reserves more as it arrives.
   *
   * If all memory is in use, a body displaces late unfinished bodies, and those of senders who hold more. Otherwise,
   * a few clients with open uploads would block everyone.
   *
   * @throws ServiceError TOO_MANY_ATTEMPTS if the sender holds too much, UNAVAILABLE if all senders do
   */
  hold<Result>(
    request: Request,
    body: Uploader & { bytesMax: number },
    use: (reserve: ReserveBytes) => Result | Promise<Result>,
  ): Promise<Result>
}

/** Memory shared by all clients, by clients without an account, by a network or by an account. */
type Pool = { name: string; bytesMax: number; isOwn: boolean }

/** A body in progress. */
type HeldBody = {
  owner: string
  pools: readonly string[]
  bytes: number
  upload: UnfinishedUpload | undefined
}

/** An upload that is later than this makes room for any other upload. */
const DISPLACED_AFTER_MS = 2_000

export function createUploadMemory(limits: UploadLimits = UPLOAD_LIMITS): UploadMemory {
  const held = new Map<string, number>()
  const bodies = new Set<HeldBody>()

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

  const bytesIn = (pool: string) => held.get(pool) ?? 0

  function resize(body: HeldBody, bytes: number): void {
    for (const name of body.pools) add(name, bytes - body.bytes)
    body.bytes = bytes
  }

  /** Aborts one unfinished upload in a pool to make room for another owner. @returns false if none may be aborted */
  function displaceOne(pool: string, owner: string, bytes: number): boolean {
    const others = [...bodies].filter(
      (body) => body.upload !== undefined && body.owner !== owner && body.pools.includes(pool),
    )
    const lagMs = ({ upload }: HeldBody) => upload?.lagMs() ?? 0
    const greedy = others.filter((body) => bytesIn(body.owner) > bytesIn(owner) + bytes)
    const late = others.filter((body) => lagMs(body) >= DISPLACED_AFTER_MS)
    const candidates = greedy.length > 0 ? greedy : late
    const [first] = candidates.sort((a, b) => lagMs(b) - lagMs(a))
    if (first === undefined) return false
    release(first)
    first.upload?.abort()
    return true
  }

  function release(body: HeldBody): void {
    resize(body, 0)
    bodies.delete(body)
  }

  return {
    async hold(request, { bytesMax, ...uploader }, use) {
      const pools = poolsOf(uploader, 0).map(({ name }) => name)
      const body: HeldBody = { owner: pools[0] ?? '', pools, bytes: 0, upload: undefined }
      const reserve = (bytes: number, upload?: UnfinishedUpload) => {
        const more = bytes - body.bytes
        for (const pool of poolsOf(uploader, bytes)) {
          while (bytesIn(pool.name) + more > pool.bytesMax) {
            if (pool.isOwn || !displaceOne(pool.name, body.owner, more)) {
              throw rejection(pool, uploader.busyCode)
            }
          }
        }
        resize(body, bytes)
        body.upload = upload
      }
      bodies.add(body)
      try {
        reserve(Math.min(declaredLength(request), bytesMax))
        return await use(reserve)
      } finally {
        release(body)
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
// The photo may already be paid, so that only its result must be requested again.
const SEND_AGAIN = 'Send the same request again: you will not pay twice.'

/** Seconds within which a photo is usually read. */
const RETRY_AFTER = 1
