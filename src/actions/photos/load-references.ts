import type { Deps } from '#deps.ts'
import {
  acceptReferences,
  type LearnedReference,
  parseFingerprint,
  type ReferenceClaim,
} from '#rules/photos/picture-index/learned-references.ts'
import type { StoredReferences } from '#store/catalog/pictures/reference-copies.ts'
import type { CardReferenceStore, GivenReference } from '#store/ledger/card-references.ts'
import { mapYielding, nextTurn } from '../cooperative-loop.ts'

type ReferenceDeps = Pick<Deps, 'config'> & {
  catalog: { candidates: Pick<Deps['catalog']['candidates'], 'getGameIds'> }
  ledger: { cardReferences: Pick<CardReferenceStore, 'getVersion' | 'listAfter'> }
}

/**
 * Reads the references that are used from the ledger.
 *
 * @param embedder version of the embedder; references of others are left out
 */
export async function loadReferences(
  { config, catalog, ledger: { cardReferences } }: ReferenceDeps,
  embedder: string,
): Promise<StoredReferences> {
  // Read before the rows, so that concurrent changes are read twice rather than missed.
  const version = await cardReferences.getVersion()
  const claims: ReferenceClaim[] = []
  for (let after = ''; ; ) {
    const rows = await cardReferences.listAfter(after, ROWS_A_TURN)
    claims.push(...rows.flatMap((row) => toClaim(row, embedder, !config.hasLimits)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_A_TURN) break
    after = last.id
    await nextTurn()
  }
  const ofCards = [...Map.groupBy(claims, ({ card_id }) => card_id)]
  const accepted = (await mapYielding(ofCards, ([, ofCard]) => acceptReferences(ofCard))).flat()
  const games = await getGames(
    catalog,
    ofCards.map(([card_id]) => card_id),
  )
  // Ids of accounts stay in the ledger: photo workers get numbers.
  const givers = new Map(
    [...new Set(accepted.map((one) => one.account_id))].map((id, at) => [id, at]),
  )
  const references = accepted.flatMap(
    ({ card_id, account_id, vector, hash }): LearnedReference[] => {
      const game_id = games.get(card_id)
      const giver = givers.get(account_id) ?? 0
      return game_id === undefined ? [] : [{ card_id, game_id, giver, vector, hash }]
    },
  )
  return { version, references }
}

/** Rows are parsed, and cards are found, in some milliseconds. */
const ROWS_A_TURN = 1_000

async function getGames(
  { candidates }: ReferenceDeps['catalog'],
  cardIds: readonly number[],
): Promise<Map<number, number>> {
  const starts = Array.from({ length: Math.ceil(cardIds.length / ROWS_A_TURN) }, (_, at) => at)
  const parts = await mapYielding(starts, (at) =>
    candidates.getGameIds(cardIds.slice(at * ROWS_A_TURN, (at + 1) * ROWS_A_TURN)),
  )
  return new Map(parts.flatMap((part) => [...part]))
}

/** Returns the claim of a reference; none if it is of another version of the embedder. */
export function toClaim(
  { id, card_id, account_id, created_at, fingerprint, is_operator, is_admitted }: GivenReference,
  embedder: string,
  isPrivate: boolean,
): (ReferenceClaim & { id: string })[] {
  const picture = parseFingerprint(fingerprint, embedder)
  if (picture === undefined) return []
  // A private server is used by its operator's staff.
  const isStaff = is_operator === 1 || (isPrivate && is_admitted === 1)
  return [{ ...picture, id, card_id, account_id, created_at, isStaff }]
}
