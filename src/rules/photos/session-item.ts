import { createHash } from 'node:crypto'
import { GRADE_CHARACTERS_MAX } from '../collections/holding.ts'
import { type LanguageCode, parseLanguage } from '../collections/languages.ts'
import type { Condition } from '../pricing/price-key.ts'
import type { VerdictStatus } from './verdict.ts'

/** Maximum number of scan sessions of an account. */
export const SCAN_SESSIONS_MAX = 100

/** Number of items after which a scan session accepts no further photo. */
export const SESSION_ITEMS_MAX = 5_000

/** Milliseconds after its last change for which a scan session is kept. */
export const SCAN_SESSION_MS = 30 * 24 * 3_600_000

/** The part of an identification that determines an item of a scan session. */
export type ReadCard = {
  status: VerdictStatus
  read: { language: string; kind: string; grade: string }
  candidates: readonly ReadCandidate[]
}

type ReadCandidate = {
  card_id: number
  name: string
  number: string | null
  product_type: string | null
  set: { id: number; name: string }
  game: { slug: string }
  suggested_printing: string | null
}

/** An item as the photo suggests it. Without a card, all members that describe a card are null. */
export type SuggestedItem = {
  card_id: number | null
  name: string | null
  number: string | null
  game: string | null
  set_id: number | null
  set_name: string | null
  printing: string | null
  condition: Condition
  grade: string | null
  language: LanguageCode | null
  quantity: number
  is_reviewed: 0 | 1
}

/**
 * Suggests an item for a card that was read: reviewed if the card is matched, with the best candidate if it is
 * ambiguous, and without a card otherwise.
 *
 * @param getBasePrinting returns the printing of a card without a suggested one
 */
export function suggestItem(
  { status, read, candidates }: ReadCard,
  getBasePrinting: (card_id: number) => string | null,
): SuggestedItem {
  const isKnown = status === 'matched' || status === 'ambiguous'
  const card = isKnown ? candidates[0] : undefined
  const copies = { ...readCopies(read), quantity: 1 }
  if (card === undefined) {
    const none = { card_id: null, name: null, number: null, game: null }
    const noSet = { set_id: null, set_name: null, printing: null }
    return { ...none, ...noSet, condition: 'near_mint', ...copies, is_reviewed: 0 }
  }
  const { card_id, name, number, set, game, product_type } = card
  return {
    card_id,
    name,
    number,
    game: game.slug,
    set_id: set.id,
    set_name: set.name,
    printing: card.suggested_printing ?? getBasePrinting(card_id),
    condition: product_type === 'Sealed Products' ? 'unopened' : 'near_mint',
    ...copies,
    is_reviewed: status === 'matched' ? 1 : 0,
  }
}

function readCopies({ language, kind, grade }: ReadCard['read']) {
  const isGraded = kind === 'graded slab' && grade !== '' && grade.length <= GRADE_CHARACTERS_MAX
  return { language: parseLanguage(language) ?? null, grade: isGraded ? grade : null }
}

/** Returns the condition of an item whose card changes: sealed products are unopened, and cards never are. */
export function conditionOf(current: Condition, ofCard: Condition): Condition {
  return (current === 'unopened') === (ofCard === 'unopened') ? current : ofCard
}

/**
 * Returns the id that an item of a scan session has in every collection, so that no collection gets it twice. Like
 * other item ids, these ids ascend by time and order of addition.
 */
export function collectedItemId(
  scan_session_id: string,
  { created_at, ordinal }: { created_at: number; ordinal: number },
): string {
  const hash = createHash('sha256').update(scan_session_id).digest('hex')
  const parts = [hex(created_at, 12), hex(ordinal, 8), hash.slice(0, 12)]
  return `item_${parts.join('')}`
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0')
}
