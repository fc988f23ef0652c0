import { createRowIndex } from './row-index.ts'

/** Numbers per vector. */
export const VECTOR_LENGTH = 128
/** Rows per block. Small, because the last block of a game is half empty on average. */
export const BLOCK_ROWS = 512

/** Rows compared at once: the SIMD lanes of the search. */
export const LANES = 4

/** The used rows of one block, which are its first ones. */
export type RowRange = {
  /** First row. */
  first: number
  count: number
  /** Address of the vectors. */
  vectors: number
  /** Address of the squared lengths, one f32 per row. */
  squares: number
}

/** Vectors in one growing memory, grouped by game, so that a search reads only the rows of its game. */
export type VectorStore = {
  /** Adds or replaces the vector of a card. The card may move to another game. */
  put(cardId: number, gameId: number, vector: Int8Array): void
  /** Removes the vector of a card, if it has one. */
  remove(cardId: number): void
  /** Returns true if a card has a vector. */
  has(cardId: number): boolean
  /** Returns the number of vectors. */
  count(): number
  cardOf(row: number): number
  /** Returns the squared length of a vector; exact, because it is below 2^24. */
  square(row: number): number
  /** Returns the ranges of one game or of all games. */
  ranges(gameId: number | undefined): Iterable<RowRange>
}

/**
 * Creates an empty store. Memory is allocated in blocks of one game, so inserts never move rows. The rows of
 * a game have no gaps: its last row replaces a removed one.
 *
 * @param start number of bytes at the start of the memory that are reserved
 */
export function createVectorStore(memory: WebAssembly.Memory, start: number): VectorStore {
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

  function allocateBlock(gameId: number): number {
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
    if (game.rows === game.blocks.length * BLOCK_ROWS) game.blocks.push(allocateBlock(gameId))
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
    put(cardId, gameId, vector) {
      const known = rowOf.find(cardId)
      const stays = known !== undefined && gameOfBlock[blockOf(known)] === gameId
      if (!stays) remove(cardId)
      const row = stays ? known : append(cardId, gameId)
      bytes.set(vector, vectorOf(row))
      // A zero vector has no direction and is never found.
      floats[squareOf(row) >> 2] = squaredLength(vector) || Number.NaN
    },
    remove,
    has: (cardId) => rowOf.find(cardId) !== undefined,
    count: () => rowOf.count(),
    cardOf,
    square: (row) => floats[squareOf(row) >> 2] ?? Number.NaN,
    *ranges(gameId) {
      const searched = gameId === undefined ? games.values() : [games.get(gameId)]
      for (const game of searched) {
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

/** Layout of a block: vectors, squared lengths, card ids. */
const SQUARES_AT = BLOCK_ROWS * VECTOR_LENGTH
const CARDS_AT = SQUARES_AT + BLOCK_ROWS * 4
const BLOCK_BYTES = CARDS_AT + BLOCK_ROWS * 4

const PAGE_BYTES = 65_536
/** Memory grows by at least 1 MiB. */
const GROWTH_PAGES = 16

/** Returns the offset of a vector in its block: interleaved in four lanes, see int8-search.wat. */
const vectorAt = (index: number) =>
  (index % LANES) * LANE_BYTES + Math.floor(index / LANES) * VECTOR_LENGTH
const LANE_BYTES = (BLOCK_ROWS / LANES) * VECTOR_LENGTH

const blockOf = (row: number) => Math.floor(row / BLOCK_ROWS)
const inBlock = (row: number) => row % BLOCK_ROWS

/** Returns the row at an index within its game. */
function rowAt({ blocks }: Game, index: number): number {
  return (blocks[blockOf(index)] ?? 0) * BLOCK_ROWS + inBlock(index)
}

/** Returns the squared length. */
export function squaredLength(vector: Int8Array): number {
  let sum = 0
  // An iterator is twenty times slower, and a start indexes 500,000 vectors.
  for (let index = 0; index < vector.length; index++) sum += (vector[index] ?? 0) ** 2
  return sum
}
