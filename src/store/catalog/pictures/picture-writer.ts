import { groupByArt, type IndexedPicture, isPlaceholder } from '#rules/photos/art-groups.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { type Db, inTransaction } from '../../db.ts'
import { upsertInto } from '../../table-sql.ts'
import type { CardRow } from '../schema/catalog.ts'
import { type CardPictureRow, cardPictures } from '../schema/photos.ts'
import { openPictureHashes, type PictureHashReader } from './pictures.ts'

/** A card whose picture is due. */
export type QueuedPicture = Pick<CardRow, 'game_id'> & {
  card_id: number
  image_url: string
  /** ETag of the picture at this URL; null if the current model has not indexed it. */
  etag: string | null
  /** Consecutive failed attempts. */
  tries: number
}

/** A checked picture and the model that indexed it. */
export type PictureCheck = Pick<QueuedPicture, 'card_id' | 'game_id' | 'image_url'> & {
  model: string
  now: Date
}

/** Writes to the picture index in transactions of a few milliseconds, for which a sync can wait. */
export type PictureWriter = {
  /** Returns true if a game has this slug. */
  hasGame(slug: string): boolean
  /**
   * Lists the ids of all cards whose picture is due, highest priority first.
   *
   * @param firstSets sets whose cards precede all others, in this order
   */
  listDue(query: PictureQueueQuery, firstSets?: readonly number[]): number[]
  /** Returns the current state of the card; undefined if it is no longer due. */
  getDue(id: number, query: PictureQueueQuery): QueuedPicture | undefined
  /** Lists all vectors of a game. */
  listVectors(gameId: number): Generator<{ card_id: number; vector: Int8Array }>
  /** Returns the hashes of cards that have a vector. */
  getHashes: PictureHashReader
  /**
   * Stores a fetched picture. If many cards share it, it is a placeholder, and is removed from all of them.
   *
   * @param siblings cards that show the same art
   * @param recheckAt epoch seconds at which a placeholder is fetched again
   * @returns cards that lost their picture
   */
  put(
    check: PictureCheck,
    picture: IndexedPicture & { etag: string | null },
    siblings: readonly number[],
    recheckAt: number,
  ): number[]
  /** Postpones the next check of an unchanged placeholder. */
  putUnchanged(check: PictureCheck, recheckAt: number): void
  /** Records a picture that could not be fetched or decoded. */
  putFailure(
    check: PictureCheck,
    failure: { status: 'missing' | 'failed'; tries: number; next_try_at: number },
  ): void
  /** Clears cards that disappeared or lost their picture. @returns their number */
  removeVanished(now: Date): number
  /** Clears vectors of other models, which are not comparable. @returns their number */
  removeOtherModels(model: string, now: Date): number
  /** Closes the connection. */
  close(): void
}

export function openPictureWriter(db: Db): PictureWriter {
  const queue = db
    .prepare<[QueueParameters & { first_sets: string }], number>(
      `WITH first AS MATERIALIZED (SELECT value AS set_id, key AS place FROM json_each(@first_sets))
       SELECT cards.id FROM cards
         JOIN games ON games.id = cards.game_id
         JOIN sets ON sets.id = cards.set_id
         LEFT JOIN card_pictures AS known ON known.card_id = cards.id
         LEFT JOIN first ON first.set_id = cards.set_id
        WHERE ${IS_DUE} AND (@game IS NULL OR games.slug = @game)
        ORDER BY first.place IS NULL, first.place, games.priority DESC, cards.product_status_id = ${PRESALE} DESC,
                 coalesce(sets.release_date, '') > @new_since DESC,
                 (SELECT market_price FROM prices
                   WHERE prices.card_id = cards.id AND is_base_printing = 1) DESC,
                 cards.id`,
    )
    .pluck()
  const task = db.prepare<[QueueParameters & { id: number }], QueuedPicture>(
    `SELECT cards.id AS card_id, cards.game_id, cards.image_url,
            iif(known.image_url = cards.image_url AND known.model = @model AND known.hash IS NOT NULL,
                known.etag, NULL) AS etag,
            iif(known.image_url = cards.image_url, known.tries, 0) AS tries
       FROM cards LEFT JOIN card_pictures AS known ON known.card_id = cards.id
      WHERE cards.id = @id AND ${IS_DUE}`,
  )
  const game = db.prepare<[string], number>('SELECT 1 FROM games WHERE slug = ?').pluck()
  const vectorsOf = db.prepare<[number], Pick<PictureRow, 'card_id' | 'vector'>>(
    'SELECT card_id, vector FROM card_pictures WHERE game_id = ? AND vector IS NOT NULL',
  )
  const vanished = db
    .prepare<[], number>(
      `SELECT known.card_id FROM card_pictures AS known LEFT JOIN cards ON cards.id = known.card_id
        WHERE known.status <> 'gone' AND (cards.image_url IS NULL OR cards.missing_since IS NOT NULL)
        ORDER BY known.card_id`,
    )
    .pluck()
  const ofOtherModels = db
    .prepare<[string], number>(
      `SELECT card_id FROM card_pictures WHERE model <> ? AND vector IS NOT NULL ORDER BY card_id`,
    )
    .pluck()
  const put = db.prepare(upsertInto(cardPictures))
  const postpone = db.prepare<[number, string, number]>(
    'UPDATE card_pictures SET tries = 0, next_try_at = ?, updated_at = ? WHERE card_id = ?',
  )
  const clear = db.prepare<[ClearParameters]>(
    `UPDATE card_pictures SET vector = NULL, art_group = NULL, status = @status,
       hash = iif(@status = 'placeholder', hash, NULL),
       image_url = iif(@status = 'gone', '', image_url), next_try_at = @next_try_at,
       updated_at = @updated_at, version = @version WHERE card_id = @card_id`,
  )
  const nextVersion = db
    .prepare<[], number>('SELECT coalesce(max(version), 0) + 1 FROM card_pictures')
    .pluck()
  const groupOf = db
    .prepare<[number], number | null>('SELECT art_group FROM card_pictures WHERE card_id = ?')
    .pluck()
  const membersOf = db.prepare<[number], PictureRow>(
    `SELECT card_id, vector, hash FROM card_pictures
      WHERE art_group = ? AND vector IS NOT NULL AND hash IS NOT NULL`,
  )
  const regroup = db.prepare<[number, number]>(
    'UPDATE card_pictures SET art_group = ? WHERE card_id = ?',
  )
  const mergeGroup = db.prepare<[number, number]>(
    'UPDATE card_pictures SET art_group = ? WHERE art_group = ?',
  )
  const groupsOf = db
    .prepare<[string], number>(
      `SELECT DISTINCT art_group FROM card_pictures
        WHERE card_id IN (SELECT value FROM json_each(?)) AND art_group IS NOT NULL`,
    )
    .pluck()
  const sameHash = db.prepare<[Buffer, Buffer], Pick<CardRow, 'set_id'> & { card_id: number }>(
    `SELECT card_id, set_id FROM card_pictures JOIN cards ON cards.id = card_id
      WHERE substr(hash, 1, 16) = substr(+?, 1, 16) AND hash = +?`,
  )

  /** Removes a card from its art group and regroups the remaining cards. */
  function leaveGroup(cardId: number): void {
    const group = groupOf.get(cardId)
    if (group === undefined || group === null) return
    const others = membersOf.all(group).filter((row) => row.card_id !== cardId)
    for (const [id, of] of groupByArt(others.map(toPicture))) regroup.run(of, id)
  }

  /** Merges the art groups of a card and its siblings. */
  function joinGroups(cardId: number, siblings: readonly number[]): void {
    const groups = [...groupsOf.all(JSON.stringify([...siblings, cardId]))]
    const smallest = Math.min(...groups)
    for (const group of groups) if (group !== smallest) mergeGroup.run(smallest, group)
  }

  function clearAll(cardIds: readonly number[], to: Omit<ClearParameters, 'card_id' | 'version'>) {
    const version = nextVersion.get() ?? 0
    for (const card_id of cardIds) clear.run({ ...to, card_id, version })
  }

  /** Runs `action` on slices of the ids, each in its own short transaction. */
  function inSlices(ids: readonly number[], action: (slice: readonly number[]) => void): number {
    for (let from = 0; from < ids.length; from += CLEARED_AT_ONCE) {
      inTransaction(db, () => action(ids.slice(from, from + CLEARED_AT_ONCE)))
    }
    return ids.length
  }

  return {
    hasGame: (slug) => game.get(slug) === 1,
    listDue: (request, firstSets = []) =>
      queue.all({ ...toParameters(request), first_sets: JSON.stringify(firstSets) }),
    getDue: (id, request) => task.get({ ...toParameters(request), id }),
    *listVectors(gameId) {
      for (const { card_id, vector } of vectorsOf.iterate(gameId)) {
        yield { card_id, vector: new Int8Array(vector) }
      }
    },
    getHashes: openPictureHashes(db),

    put(check, indexedPicture, siblings, recheckAt) {
      const updated_at = check.now.toISOString()
      const hash = toBuffer(indexedPicture.hash)
      return inTransaction(db, () => {
        leaveGroup(check.card_id)
        put.run({
          ...emptyRow(check, nextVersion.get() ?? 0),
          etag: indexedPicture.etag,
          vector: toBuffer(indexedPicture.vector),
          hash,
          art_group: check.card_id,
          status: 'indexed',
        })
        const same = sameHash.all(hash, hash)
        const sets = new Set(same.map(({ set_id }) => set_id)).size
        if (!isPlaceholder({ cards: same.length, sets })) {
          joinGroups(check.card_id, siblings)
          return []
        }
        const ids = same.map(({ card_id }) => card_id)
        for (const id of ids) leaveGroup(id)
        clearAll(ids, { status: 'placeholder', next_try_at: recheckAt, updated_at })
        return ids
      })
    },
    putUnchanged: ({ card_id, now }, recheckAt) =>
      inTransaction(db, () => void postpone.run(recheckAt, now.toISOString(), card_id)),
    putFailure: (check, failure) =>
      inTransaction(db, () => {
        leaveGroup(check.card_id)
        put.run({ ...emptyRow(check, nextVersion.get() ?? 0), ...failure })
      }),
    removeVanished(now) {
      const to = { status: 'gone', next_try_at: null, updated_at: now.toISOString() } as const
      return inSlices(vanished.all(), (ids) => {
        for (const id of ids) leaveGroup(id)
        clearAll(ids, to)
      })
    },
    removeOtherModels(model, now) {
      const next_try_at = Math.floor(now.getTime() / 1000)
      const to = { status: 'failed', next_try_at, updated_at: now.toISOString() } as const
      return inSlices(ofOtherModels.all(model), (ids) => clearAll(ids, to))
    },
    close: () => void db.close(),
  }
}

export type PictureQueueQuery = { model: string; game: string | undefined; now: Date }

type QueueParameters = { model: string; game: string | null; now: number; new_since: string }

type ClearParameters = {
  card_id: number
  version: number
  status: 'placeholder' | 'failed' | 'gone'
  next_try_at: number | null
  updated_at: string
}

type PictureRow = Pick<CardPictureRow, 'card_id'> & { vector: Buffer; hash: Buffer }

/** Condition for a due picture: new, another URL, game or model, or due for a retry. */
const IS_DUE = `cards.image_url IS NOT NULL AND cards.missing_since IS NULL AND (
  known.card_id IS NULL OR known.image_url <> cards.image_url OR known.game_id <> cards.game_id
  OR known.model <> @model OR known.next_try_at <= @now)`

const PRESALE = 20

/** Maximum age in days of a new set, because people scan mostly new cards. */
const NEW_DAYS = 120

const CLEARED_AT_ONCE = 200

function toParameters({ model, game, now }: PictureQueueQuery): QueueParameters {
  const newSince = new Date(now.getTime() - NEW_DAYS * MS_PER_DAY)
  return {
    model,
    game: game ?? null,
    now: Math.floor(now.getTime() / 1000),
    new_since: newSince.toISOString().slice(0, 10),
  }
}

/** Returns a row without a picture. */
function emptyRow({ now, ...card }: PictureCheck, version: number) {
  const nothing = { etag: null, vector: null, hash: null, art_group: null, next_try_at: null }
  return { ...card, ...nothing, tries: 0, updated_at: now.toISOString(), version }
}

function toPicture({ card_id, vector, hash }: PictureRow) {
  return { card_id, vector: new Int8Array(vector), hash: new Uint8Array(hash) }
}

function toBuffer({ buffer, byteOffset, byteLength }: Int8Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
