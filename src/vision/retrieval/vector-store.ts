import { createRowIndex } from './row-index.ts'

/** Numbers in a vector. */
export const VECTOR_LENGTH = 128
/** Rows in a block: the last block of a game is half empty on average, so a block is small. */
export const BLOCK_ROWS = 512

/** Rows that are compared at once: the four lanes of the search. */
export const LANES = 4

/** The rows of one block that are in use: its first ones. */
export type RowRange = {
  /** Number of its first row. */
  first: number
  count: number
  /** Address of the vectors. */
  vectors: number
  /** Address of the squared lengths, one f32 for each row. */
  squares: number
}

/**
 * The pictures' vectors in one growing memory, game by game: to search one game costs what its own
 * rows cost.
 *
 * Memory is handed out in blocks, each of one game, so an insert never moves what stands there. Within
 * its blocks a game has no gaps: what is removed is replaced by the game's last row.
 *
 * @param memory its first `start` bytes are left alone
 */
export function createVectorStore(memory: WebAssembly.Memory, start: number) {
  const games = new Map<number, Game>()
  const gameOfBlock: number[] = []
  const freeBlocks: number[] = []
  let bytes = new Int8Array(memory.buffer)
  let floats = new Float32Array(memory.buffer)
  let integers = new Int32Array(memory.buffer)

  const addressOf = (block: number) => start + block * BLOCK_BYTES
  const vectorOf = (row: number) => addressOf(blockOf(row)) + vectorAt(inBlock(row))
  const squareOf = (row: number) => addressOf(blockOf(row)) + SQUARES_AT + inBlock(row) * 4
  const cardAddressOf = (row: number) => addressOf(blockOf(row)) + CARDS_AT + inBlock(row) * 4
  const cardOf = (row: number) => integers[cardAddressOf(row) >> 2] ?? 0
  const rowOf = createRowIndex(cardOf)

  function takeBlock(gameId: number): number {
    const block = freeBlocks.pop() ?? gameOfBlock.length
    gameOfBlock[block] = gameId
    const missing = addressOf(block + 1) - memory.buffer.byteLength
    if (missing > 0) {
      memory.grow(Math.max(GROWTH_PAGES, Math.ceil(missing / PAGE_BYTES)))
      bytes = new Int8Array(memory.buffer)
      floats = new Float32Array(memory.buffer)
      integers = new Int32Array(memory.buffer)
    }
    const squares = (addressOf(block) + SQUARES_AT) >> 2
    floats.fill(Number.NaN, squares, squares + BLOCK_ROWS)
    return block
  }

  function append(cardId: number, gameId: number): number {
    const game = games.get(gameId) ?? { blocks: [], rows: 0 }
    games.set(gameId, game)
    if (game.rows === game.blocks.length * BLOCK_ROWS) game.blocks.push(takeBlock(gameId))
    const row = rowAt(game, game.rows++)
    integers[cardAddressOf(row) >> 2] = cardId
    rowOf.add(cardId, row)
    return row
  }

  function remove(cardId: number): void {
    const row = rowOf.find(cardId)
    if (row === undefined) return
    rowOf.remove(cardId)
    const gameId = gameOfBlock[blockOf(row)] ?? 0
    const game = games.get(gameId) ?? { blocks: [], rows: 1 }
    const last = rowAt(game, --game.rows)
    if (last !== row) move(last, row)
    floats[squareOf(last) >> 2] = Number.NaN
    if (game.rows % BLOCK_ROWS === 0) freeBlocks.push(...game.blocks.splice(-1))
    if (game.rows === 0) games.delete(gameId)
  }

  function move(from: number, to: number): void {
    const cardId = cardOf(from)
    rowOf.remove(cardId)
    bytes.copyWithin(vectorOf(to), vectorOf(from), vectorOf(from) + VECTOR_LENGTH)
    floats[squareOf(to) >> 2] = floats[squareOf(from) >> 2] ?? Number.NaN
    integers[cardAddressOf(to) >> 2] = cardId
    rowOf.add(cardId, to)
  }

  return {
    /** Adds a card's vector, or replaces it, in whichever game the card was. */
    put(cardId: number, gameId: number, vector: Int8Array): void {
      const known = rowOf.find(cardId)
      const stays = known !== undefined && gameOfBlock[blockOf(known)] === gameId
      if (!stays) remove(cardId)
      const row = stays ? known : append(cardId, gameId)
      bytes.set(vector, vectorOf(row))
      // A vector of nothing but zeros has no direction, and is never found.
      floats[squareOf(row) >> 2] = squaredLength(vector) || Number.NaN
    },
    /** Removes a card's vector where it has one. */
    remove,
    count: () => rowOf.count(),
    cardOf,
    /** The squared length of a row's vector; exact, because it stays under 2^24. */
    square: (row: number) => floats[squareOf(row) >> 2] ?? Number.NaN,
    /** The stretches of one game, or of all. */
    *ranges(gameId: number | undefined): Generator<RowRange> {
      const asked = gameId === undefined ? games.values() : [games.get(gameId)]
      for (const game of asked) {
        for (const [index, block] of (game?.blocks ?? []).entries()) {
          const count = Math.min(BLOCK_ROWS, (game?.rows ?? 0) - index * BLOCK_ROWS)
          const vectors = addressOf(block)
          yield { first: block * BLOCK_ROWS, count, vectors, squares: vectors + SQUARES_AT }
        }
      }
    },
  }
}

type Game = { blocks: number[]; rows: number }

/** A block holds its vectors, then their squared lengths, then their cards. */
const SQUARES_AT = BLOCK_ROWS * VECTOR_LENGTH
const CARDS_AT = SQUARES_AT + BLOCK_ROWS * 4
const BLOCK_BYTES = CARDS_AT + BLOCK_ROWS * 4

const PAGE_BYTES = 65_536
/** Memory grows by 1 MiB at a time, or by what is needed. */
const GROWTH_PAGES = 16

/** Where in its block a row's vector stands: in one of four lanes, as int8-search.wat reads them. */
const vectorAt = (place: number) =>
  (place % LANES) * LANE_BYTES + Math.floor(place / LANES) * VECTOR_LENGTH
const LANE_BYTES = (BLOCK_ROWS / LANES) * VECTOR_LENGTH

const blockOf = (row: number) => Math.floor(row / BLOCK_ROWS)
const inBlock = (row: number) => row % BLOCK_ROWS

/** The number of a game's row that stands at a place among its rows. */
function rowAt({ blocks }: Game, place: number): number {
  return (blocks[blockOf(place)] ?? 0) * BLOCK_ROWS + inBlock(place)
}

/** The vector times itself. */
export function squaredLength(vector: Int8Array): number {
  let sum = 0
  // An iterator takes twenty times as long, and a start has 500,000 vectors.
  for (let index = 0; index < vector.length; index++) sum += (vector[index] ?? 0) ** 2
  return sum
}
