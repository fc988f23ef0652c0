import { join } from 'node:path'
import { formatShort } from './table.ts'

/** Right results and total, by peer and slice. */
export type Tally = Record<string, Record<string, [number, number]>>

/** Runs a script of `peer/` on a folder of photos; undefined if it cannot run on this machine. */
export async function runPeer(script: string, folder: string): Promise<unknown> {
  // The peers always read all photos.
  if (process.env.BENCH_PHOTOS !== undefined) return undefined
  const python = process.env.PYTHON ?? 'python3'
  if (Bun.which(python) !== null) {
    const command = [python, join(import.meta.dir, 'peer', script), folder]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
    const printed = await new Response(child.stdout).text()
    if ((await child.exited) === 0) return JSON.parse(printed)
  }
  process.stderr.write(
    'The peers did not run: OpenCV for Python is needed (PYTHON names the interpreter).\n',
  )
  return undefined
}

/** Formats the result of each peer on a slice: counts for few photos, otherwise percentages. */
export function scoreOn(tally: Tally, slice: string): string {
  const lines = Object.entries(tally).flatMap(([peer, bySlice]) => {
    const [hits, count] = bySlice[slice] ?? [0, 0]
    if (count === 0) return []
    return [
      `${peer} ${count < FEW ? `${hits} of ${count}` : `${formatShort((100 * hits) / count)} %`}`,
    ]
  })
  return lines.join(', ')
}

const FEW = 30
