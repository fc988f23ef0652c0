import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SetDelivery } from './catalog/intake.ts'

/**
 * Keeps what a run has read, checked and mapped until it is published: a run that is stopped goes on
 * where it was, without asking the upstream again. One folder a publication, one file a set.
 */
export function openStaging(dataDir: string, publishedAt: Date) {
  const root = join(dataDir, 'staging')
  const folder = join(root, String(publishedAt.getTime()))
  mkdirSync(folder, { recursive: true })
  // What was read of another publication is out of date.
  for (const name of readdirSync(root)) {
    if (join(root, name) !== folder) rmSync(join(root, name), { recursive: true, force: true })
  }
  const pathOf = (setId: number) => join(folder, `${setId}.json`)

  return {
    has: (setId: number) => existsSync(pathOf(setId)),
    put(delivery: SetDelivery): void {
      const path = pathOf(delivery.set.id)
      // Renamed into place, so that a file that is there is whole.
      writeFileSync(`${path}.part`, JSON.stringify(delivery))
      renameSync(`${path}.part`, path)
    },
    take: (setId: number): SetDelivery => JSON.parse(readFileSync(pathOf(setId), 'utf8')),
    remove(setIds: Iterable<number>): void {
      for (const setId of setIds) rmSync(pathOf(setId), { force: true })
    },
    close(): void {
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export type Staging = ReturnType<typeof openStaging>
