// An index run that is killed at random moments: real processes, real files, SIGKILL.

import { expect, test } from 'bun:test'
import { killRepeatedly } from '../../support/chaos.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { createIndexWorld, picturesIn } from '../../support/photos/index-world.ts'
import { startProcess } from '../../support/process.ts'
import { randomFrom, SEED } from '../../support/random.ts'

const KILLS = 12
const CARDS = 116

const closers = closeAfterEach()

/** Creates a data folder whose index is not locked. */
async function openFolder() {
  const world = await createIndexWorld()
  closers.push(world.close)
  world.letGo()
  return world
}

const start = (dataDir: string) =>
  startProcess('test/support/photos/index-process.ts', { args: [dataDir] })

test('a killed run leaves complete cards, and the next ones end as an uninterrupted run', async () => {
  const clean = await openFolder()
  let killed = await openFolder()
  expect(await start(clean.dataDir).exited).toBe(0)
  const random = randomFrom(SEED)
  const counts: number[] = []
  const isComplete = () => picturesIn(killed.db).length === CARDS
  const isRarelyPartial = () => counts.filter((count) => count > 0 && count < CARDS).length <= 3
  await killRepeatedly({
    // Continues in another folder if a busy machine kills most runs too late.
    isOver: () => !isRarelyPartial() && (counts.length >= KILLS || isComplete()),
    async start() {
      if (isComplete()) killed = await openFolder()
      return start(killed.dataDir)
    },
    async moment(run) {
      const before = picturesIn(killed.db).length
      // Some cards later, at a random moment.
      while (!run.hasEnded() && picturesIn(killed.db).length < before + 4) await Bun.sleep(1)
      await Bun.sleep(random() * 12)
    },
    check() {
      expect(killed.db.pragma('integrity_check', { simple: true })).toBe('ok')
      const rows = picturesIn(killed.db)
      counts.push(rows.length)
      for (const row of rows) expect(row.art_group === null).toBe(row.status !== 'indexed')
    },
  })
  const last = start(killed.dataDir)
  expect(await last.exited).toBe(0)
  console.info(`killed ${counts.length} times, after ${counts.join(', ')} cards of ${CARDS}`)
  expect(picturesIn(killed.db)).toEqual(picturesIn(clean.db))
})
