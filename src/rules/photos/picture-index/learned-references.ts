// References: photos of cards that people have named, by which later photos of these cards are found.
import { cosineSimilarity, type IndexedPicture } from '../art-groups.ts'

/** The vector and hash of a photo, and the card that an account named for it. */
export type ReferenceClaim = IndexedPicture & {
  card_id: number
  account_id: number
  /** True for operators, and on a private server for all accounts that they let in. */
  isStaff: boolean
  created_at: number
}

/** A photo that people have named, as a further picture of its card. */
export type LearnedReference = IndexedPicture & {
  card_id: number
  game_id: number
  /** Number of the account that gave it, the same for its other references only. */
  giver: number
}

/** Maximum number of references of a card that are used, and that an account gives for a card. */
export const REFERENCES_MAX = 8

/**
 * Returns the references of a card that are used: those of staff at once, those of others if another account has given a
 * similar photo. At most eight, those of staff first, then the newest.
 *
 * @param ofCard all claims about one card
 */
export function acceptReferences<Claim extends ReferenceClaim>(ofCard: readonly Claim[]): Claim[] {
  const considered = ofCard.toSorted(byRoleAndTime).slice(0, CONSIDERED_MAX)
  return considered
    .filter((claim) => claim.isStaff || considered.some((other) => agree(claim, other)))
    .slice(0, REFERENCES_MAX)
}

function byRoleAndTime(one: ReferenceClaim, other: ReferenceClaim): number {
  return Number(other.isStaff) - Number(one.isStaff) || other.created_at - one.created_at
}

/** Each is compared with each other. */
const CONSIDERED_MAX = 64

/** Two photos of one card have cosines from AGREEMENT_MIN, of different cards rarely more than 0.6. */
const AGREEMENT_MIN = 0.7

function agree(one: ReferenceClaim, other: ReferenceClaim): boolean {
  return (
    one.account_id !== other.account_id &&
    cosineSimilarity(one.vector, other.vector) >= AGREEMENT_MIN
  )
}

/** Bytes of a vector, and of a hash. */
const PART_BYTES = 128

/** Formats the vector and the hash of a card in a photo as text, with the version of the embedder. */
export function formatFingerprint(embedder: string, { vector, hash }: IndexedPicture): string {
  const bytes = new Uint8Array(2 * PART_BYTES)
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, PART_BYTES))
  bytes.set(hash, PART_BYTES)
  return `${embedder}:${bytes.toBase64()}`
}

/** Parses a fingerprint; undefined if it is of another version of the embedder, because vectors are then not comparable. */
export function parseFingerprint(text: string, embedder: string): IndexedPicture | undefined {
  if (!text.startsWith(`${embedder}:`)) return undefined
  const bytes = Uint8Array.fromBase64(text.slice(embedder.length + 1))
  const vector = new Int8Array(bytes.buffer, 0, PART_BYTES)
  return { vector, hash: bytes.subarray(PART_BYTES) }
}
