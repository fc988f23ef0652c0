import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import { interleave, middle, percentile, ratio, timeEach } from './measure.ts'
import { formatShort, type Row, times } from './table.ts'

/** The search for pictures like a photo's among 500,000 of 80 games, against a plain loop. */
export async function benchSearchVectors(): Promise<Row[]> {
  const vectors = anyVectors()
  const nearest = createVectorSearch()
  for (let row = 0; row < ROWS; row++) nearest.put(row, row % GAMES, vectorAt(vectors, row))
  const asked = (index: number) => [vectorAt(vectors, (index * 7_919) % ROWS)]
  const lines = new Float64Array(vectors.buffer)
  const rounds = await interleave(5, {
    ours: () => milliseconds((index) => nearest.search(asked(index), ALL)),
    game: () => milliseconds((index) => nearest.search(asked(index), { ...ALL, gameId: 7 })),
    memory: () => milliseconds(() => readOnce(lines)),
    plain: () => milliseconds((index) => plainSearch(vectors, asked(index)[0] ?? vectors)),
  })
  const figures = (subject: string) =>
    `p50 ${formatShort(middle(rounds, subject, 'p50'))} ms, p95 ${formatShort(middle(rounds, subject, 'p95'))} ms`
  const megabytes = nearest.size() / 1e6
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

function anyVectors(): Int8Array<ArrayBuffer> {
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

/** What the machine's memory allows: one number of each line of 64 bytes. */
function readOnce(lines: Float64Array): number {
  let sum = 0
  for (let at = 0; at < lines.length; at += 8) sum += lines[at] ?? 0
  return sum
}

/** What comes to mind first: every product in JavaScript, and the best one. */
function plainSearch(vectors: Int8Array, asked: Int8Array): number {
  let best = 0
  let bestDot = Number.NEGATIVE_INFINITY
  for (let row = 0; row < ROWS; row++) {
    let dot = 0
    for (let at = 0; at < LENGTH; at++) dot += (vectors[row * LENGTH + at] ?? 0) * (asked[at] ?? 0)
    if (dot > bestDot) {
      bestDot = dot
      best = row
    }
  }
  return best
}
