import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import { interleave, middle, percentile, ratio, timeEach } from './measure.ts'
import { formatShort, type Row, times } from './table.ts'

/** Measures the vector search over 500,000 pictures of 80 games, compared with a plain loop. */
export async function benchSearchVectors(): Promise<Row[]> {
  const vectors = randomVectors()
  const search = createVectorSearch()
  for (let row = 0; row < ROWS; row++) search.put(row, row % GAMES, vectorAt(vectors, row))
  const query = (index: number) => [vectorAt(vectors, (index * 7_919) % ROWS)]
  const lines = new Float64Array(vectors.buffer)
  const rounds = await interleave(5, {
    ours: () => milliseconds((index) => search.search(query(index), ALL)),
    game: () => milliseconds((index) => search.search(query(index), { ...ALL, gameId: 7 })),
    memory: () => milliseconds(() => readOnce(lines)),
    plain: () => milliseconds((index) => plainSearch(vectors, query(index)[0] ?? vectors)),
  })
  const figures = (subject: string) =>
    `p50 ${formatShort(middle(rounds, subject, 'p50'))} ms, p95 ${formatShort(middle(rounds, subject, 'p95'))} ms`
  const megabytes = search.size() / 1e6
  return [
    {
      figure: 'search of 500,000 vectors, one core',
      ours: figures('ours'),
      limit: `reading them once ${figures('memory')}`,
      toLimit: times(ratio(rounds, 'p50', 'ours', 'memory')),
      peer: `plain loop ${figures('plain')}`,
      toPeer: `${times(ratio(rounds, 'p50', 'plain', 'ours'))} faster`,
      target: 'p50 4 ms',
      met: middle(rounds, 'ours', 'p50') <= 4,
    },
    { figure: 'search of one game of 80', ours: figures('game') },
    {
      figure: 'memory of 500,000 vectors',
      ours: `${formatShort(megabytes)} MB`,
      limit: `${formatShort((ROWS * LENGTH) / 1e6)} MB`,
    },
  ]
}

const ROWS = 500_000
const GAMES = 80
const LENGTH = 128
const ALL = { gameId: undefined, limit: 50 }

function randomVectors(): Int8Array<ArrayBuffer> {
  const chance = createSeededRandom(4)
  return Int8Array.from({ length: ROWS * LENGTH }, () => chance.bell() * 22)
}

function vectorAt(vectors: Int8Array, row: number): Int8Array {
  return vectors.subarray(row * LENGTH, (row + 1) * LENGTH)
}

function milliseconds(call: (index: number) => void) {
  const took = timeEach(20, call)
  return { p50: percentile(took, 50) / 1000, p95: percentile(took, 95) / 1000 }
}

/** Reads one number of each cache line of 64 bytes: the limit by memory bandwidth. */
function readOnce(lines: Float64Array): number {
  let sum = 0
  for (let index = 0; index < lines.length; index += 8) sum += lines[index] ?? 0
  return sum
}

/** Finds the best dot product with a plain loop. */
function plainSearch(vectors: Int8Array, query: Int8Array): number {
  let best = 0
  let bestDot = Number.NEGATIVE_INFINITY
  for (let row = 0; row < ROWS; row++) {
    let dot = 0
    for (let index = 0; index < LENGTH; index++)
      dot += (vectors[row * LENGTH + index] ?? 0) * (query[index] ?? 0)
    if (dot > bestDot) {
      bestDot = dot
      best = row
    }
  }
  return best
}
