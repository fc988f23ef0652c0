import { groupByArt, type IndexedPicture, isPlaceholder } from '#rules/photos/art-groups.ts'
import { type Db, inTransaction } from '../db.ts'
import { openPictureHashes } from './pictures.ts'

/** A card whose picture is to be looked at. */
export type QueuedPicture = {
  card_id: number
  game_id: number
  image_url: string
  /** What the picture at this address was tagged with, where these networks have seen it. */
  etag: string | null
  /** How often it was asked for in vain, in a row. */
  tries: number
}

/** What a look at a card's picture came to. */
export type PictureCheck = Pick<QueuedPicture, 'card_id' | 'game_id' | 'image_url'> & {
  model: string
  now: Date
}

export type PictureWriter = ReturnType<typeof openPictureWriter>

/**
 * The writes of the index. Each is one short transaction, so that a sync waits for none of them for
 * longer than a few milliseconds; a run that is killed leaves whole cards behind.
 */
export function openPictureWriter(db: Db) {
  const queue = db
    .prepare<[QueueParameters], number>(
      `SELECT cards.id FROM cards
         JOIN games ON games.id = cards.game_id
         JOIN sets ON sets.id = cards.set_id
         LEFT JOIN card_pictures AS known ON known.card_id = cards.id
        WHERE ${IS_DUE} AND (@game IS NULL OR games.slug = @game)
        ORDER BY games.priority DESC, cards.product_status_id = ${PRESALE} DESC,
                 coalesce(sets.release_date, '') > @new_since DESC,
                 (SELECT max(market_price) FROM prices WHERE prices.card_id = cards.id) DESC,
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
  const vectorsOf = db.prepare<[number], { card_id: number; vector: Buffer }>(
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
  const put = db.prepare(
    `INSERT INTO card_pictures VALUES (@card_id, @game_id, @model, @image_url, @etag, @vector, @hash,
       @art_group, @status, @tries, @next_try_at, @updated_at, @version)
     ON CONFLICT (card_id) DO UPDATE SET game_id = excluded.game_id, model = excluded.model,
       image_url = excluded.image_url, etag = excluded.etag, vector = excluded.vector,
       hash = excluded.hash, art_group = excluded.art_group, status = excluded.status,
       tries = excluded.tries, next_try_at = excluded.next_try_at,
       updated_at = excluded.updated_at, version = excluded.version`,
  )
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
    'SELECT card_id, vector, hash FROM card_pictures WHERE art_group = ?',
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
  const sameHash = db.prepare<[Buffer, Buffer], { card_id: number; set_id: number }>(
    `SELECT card_id, set_id FROM card_pictures JOIN cards ON cards.id = card_id
      WHERE substr(hash, 1, 16) = substr(+?, 1, 16) AND hash = +?`,
  )

  /** Takes a card out of its group; what it held together is divided anew. */
  function leaveGroup(cardId: number): void {
    const group = groupOf.get(cardId)
    if (group === undefined || group === null) return
    const others = membersOf.all(group).filter((row) => row.card_id !== cardId)
    for (const [id, of] of groupByArt(others.map(pictureOf))) regroup.run(of, id)
  }

  /** Brings the groups of the siblings and the card together. */
  function joinGroups(cardId: number, siblings: readonly number[]): void {
    const groups = [...groupsOf.all(JSON.stringify([...siblings, cardId]))]
    const smallest = Math.min(...groups)
    for (const group of groups) if (group !== smallest) mergeGroup.run(smallest, group)
  }

  function clearAll(cardIds: readonly number[], to: Omit<ClearParameters, 'card_id' | 'version'>) {
    const version = nextVersion.get() ?? 0
    for (const card_id of cardIds) clear.run({ ...to, card_id, version })
  }

  /** In transactions so short that nobody waits for them. */
  function inSlices(ids: readonly number[], deed: (slice: readonly number[]) => void): number {
    for (let from = 0; from < ids.length; from += CLEARED_AT_ONCE) {
      inTransaction(db, () => deed(ids.slice(from, from + CLEARED_AT_ONCE)))
    }
    return ids.length
  }

  return {
    /** Whether there is a game of this slug. */
    hasGame: (slug: string) => game.get(slug) === 1,
    /** The ids of all cards whose picture is to be looked at, most wanted first. */
    listDue: (request: PictureQueueQuery) => queue.all(parametersOf(request)),
    /** The same card as it is now; undefined where nothing is to be done any more. */
    getDue: (id: number, request: PictureQueueQuery) => task.get({ ...parametersOf(request), id }),
    /** All vectors of a game. */
    *listVectors(gameId: number): Generator<{ card_id: number; vector: Int8Array }> {
      for (const { card_id, vector } of vectorsOf.iterate(gameId)) {
        yield { card_id, vector: new Int8Array(vector) }
      }
    },
    getHashes: openPictureHashes(db),

    /**
     * A picture that came. Where it turns out to stand on many cards, all of them lose it.
     *
     * @param siblings cards that show the same art
     * @returns cards that have no visual evidence any more
     */
    put(
      look: PictureCheck,
      indexedPicture: IndexedPicture & { etag: string | null },
      siblings: readonly number[],
      lookAgainAt: number,
    ): number[] {
      const updated_at = look.now.toISOString()
      return inTransaction(db, () => {
        leaveGroup(look.card_id)
        put.run({
          ...rowOf(look, nextVersion.get() ?? 0),
          etag: indexedPicture.etag,
          vector: bytesOf(indexedPicture.vector),
          hash: bytesOf(indexedPicture.hash),
          art_group: look.card_id,
          status: 'indexed',
        })
        const hash = bytesOf(indexedPicture.hash)
        const same = sameHash.all(hash, hash)
        const sets = new Set(same.map(({ set_id }) => set_id)).size
        if (!isPlaceholder({ cards: same.length, sets })) {
          joinGroups(look.card_id, siblings)
          return []
        }
        const ids = same.map(({ card_id }) => card_id)
        for (const id of ids) leaveGroup(id)
        clearAll(ids, { status: 'placeholder', next_try_at: lookAgainAt, updated_at })
        return ids
      })
    },
    /** A stand-in that is still what it was. */
    putUnchanged({ card_id, now }: PictureCheck, lookAgainAt: number): void {
      inTransaction(db, () => void postpone.run(lookAgainAt, now.toISOString(), card_id))
    },
    /** A picture that did not come, or could not be read. */
    putFailure(
      look: PictureCheck,
      failure: { status: 'missing' | 'failed'; tries: number; next_try_at: number },
    ): void {
      inTransaction(db, () => {
        leaveGroup(look.card_id)
        put.run({ ...rowOf(look, nextVersion.get() ?? 0), ...failure })
      })
    },
    /** Forgets cards that are gone or lost their picture; @returns how many */
    removeVanished(now: Date): number {
      const to = { status: 'gone', next_try_at: null, updated_at: now.toISOString() } as const
      return inSlices(vanished.all(), (ids) => {
        for (const id of ids) leaveGroup(id)
        clearAll(ids, to)
      })
    },
    /** Forgets what other networks made, which must not be compared; @returns how many */
    removeOtherModels(model: string, now: Date): number {
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

type PictureRow = { card_id: number; vector: Buffer; hash: Buffer }

/** Never looked at, another address or game, made by other networks, or its time to try again. */
const IS_DUE = `cards.image_url IS NOT NULL AND cards.missing_since IS NULL AND (
  known.card_id IS NULL OR known.image_url <> cards.image_url OR known.game_id <> cards.game_id
  OR known.model <> @model OR known.next_try_at <= @now)`

const PRESALE = 20

/** A set is new for so long: its cards are what people scan. */
const NEW_DAYS = 120
const MS_A_DAY = 86_400_000

const CLEARED_AT_ONCE = 200

function parametersOf({ model, game, now }: PictureQueueQuery): QueueParameters {
  const newSince = new Date(now.getTime() - NEW_DAYS * MS_A_DAY)
  return {
    model,
    game: game ?? null,
    now: Math.floor(now.getTime() / 1000),
    new_since: newSince.toISOString().slice(0, 10),
  }
}

/** A row without a picture. */
function rowOf({ card_id, game_id, model, image_url, now }: PictureCheck, version: number) {
  const nothing = { etag: null, vector: null, hash: null, art_group: null }
  const updated_at = now.toISOString()
  return {
    ...nothing,
    card_id,
    game_id,
    model,
    image_url,
    tries: 0,
    next_try_at: null,
    updated_at,
    version,
  }
}

function pictureOf({ card_id, vector, hash }: PictureRow) {
  return { card_id, vector: new Int8Array(vector), hash: new Uint8Array(hash) }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
