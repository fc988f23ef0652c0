import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../../support/random.ts'
import { startMirror } from '../../support/sync/mirror-server.ts'
import { createUpstream } from '../../support/sync/upstream-fixture.ts'
import { SAMPLE } from '../../support/test-app.ts'

const GAME = { id: 7_000, name: 'Lantern & Loom', popularity: 2_000_000 }
const MS_PER_DAY = 86_400_000
/** Share of the prices that each publication changes. */
const CHANGED_SHARE = 0.3
const HIGH_DOLLARS = 10
const LOW_DOLLARS = 9

export type SoakMirror = ReturnType<typeof startSoakMirror>

/**
 * Starts a mirror of the sample and a larger game whose prices change with each publication. Watched cards
 * alternate between a high and a low price, so each second publication alerts below `threshold`.
 */
export function startSoakMirror(given: { sets: number; cardsPerSet: number; watched: number }) {
  const random = randomFrom(given.sets)
  const upstream = createUpstream(new Date(Date.now() - 60_000).toISOString())
  upstream.addGame(GAME)
  const cards: number[] = []
  for (let set = 0; set < given.sets; set++) {
    const id = 70_000 + set
    upstream.addSet(GAME.id, { id, name: `Skein ${set}` })
    for (let index = 0; index < given.cardsPerSet; index++) {
      const card = id * 1_000 + index
      const prices = { Normal: dollars(1 + 20 * random()), Holofoil: dollars(5 + 50 * random()) }
      upstream.addCard(id, { id: card, name: `Weaver ${index} of Skein ${set}`, prices })
      cards.push(card)
    }
  }
  const watched = cards
    .filter((_, index) => index % given.cardsPerSet === 0)
    .slice(0, given.watched)
  for (const card of watched) {
    upstream.removePrinting(card, 'Holofoil')
    upstream.setPrice(card, 'Normal', HIGH_DOLLARS)
  }
  const sample = readSample()
  const mirror = startMirror(upstream.files)
  let isLow = false
  let alerting = 0
  publishNow()

  function publishNow(): string {
    const days = (Date.now() - upstream.publishedAt().getTime()) / MS_PER_DAY
    upstream.publish(days)
    addSample(upstream.files, sample)
    return `${upstream.publishedAt().toISOString().slice(0, 19)}.000Z`
  }

  return {
    url: mirror.url,
    cards,
    watched,
    sets: upstream.games.flatMap(({ groups }) => groups.map(({ groupId }) => groupId)),
    threshold: (HIGH_DOLLARS + LOW_DOLLARS) / 2,
    /** Number of publications that cause an alert for every watched card. */
    alerting: () => alerting,
    /** Publishes changed prices with the current time. @returns the publish time */
    publish(): string {
      isLow = !isLow
      if (isLow) alerting++
      const isWatched = new Set(watched)
      for (const card of cards) {
        if (isWatched.has(card))
          upstream.setPrice(card, 'Normal', isLow ? LOW_DOLLARS : HIGH_DOLLARS)
        else if (random() < CHANGED_SHARE) {
          const before = upstream.row(card).marketPrice ?? 1
          upstream.setPrice(card, 'Normal', dollars(before * (0.9 + 0.2 * random())))
        }
      }
      return publishNow()
    },
    close: mirror.close,
  }
}

function dollars(amount: number): number {
  return Math.max(0.05, Math.round(amount * 100) / 100)
}

/** Returns the files of the sample by path. */
function readSample(): Map<string, string> {
  const names = readdirSync(join(SAMPLE, 'tcgplayer'), { recursive: true, withFileTypes: true })
  return new Map(
    names
      .filter((name) => name.isFile())
      .map((name) => join(name.parentPath, name.name))
      .map((file) => [file.slice(SAMPLE.length + 1), readFileSync(file, 'utf8')]),
  )
}

/** Adds the games of the sample to a mirror; otherwise, a sync would remove them. */
function addSample(files: Map<string, string>, sample: ReadonlyMap<string, string>): void {
  const list = 'tcgplayer/categories'
  const [own, others] = [files, sample].map((from) => JSON.parse(from.get(list) ?? ''))
  for (const [path, text] of sample) files.set(path, text)
  const results = [...others.results, ...own.results]
  files.set(list, JSON.stringify({ ...own, totalItems: results.length, results }))
}
