import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { staleSince } from '#rules/catalog/freshness.ts'
import { createFindings, type Finding } from '#rules/operations/doctor-finding.ts'
import { CATALOG_FILE, LEDGER_FILE } from '#store/files/data-folder.ts'
import {
  type DatabaseFacts,
  inspectCatalog,
  inspectDatabase,
  readSqliteVersion,
} from '#store/files/inspect-database.ts'

/** Whether a file can be opened, is whole, and has a schema that this program knows. */
export function checkDatabase(dataDir: string, name: 'catalog' | 'ledger'): Finding[] {
  const { ok, fault } = createFindings(name)
  const engine = readSqliteVersion()
  try {
    const facts = inspectDatabase(dataDir, name)
    if (facts === undefined) return [ok('the file is not there yet: the first start makes it')]
    return [schemaFinding(name, facts, engine), ...damageFindings(name, facts)]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [fault(`the file cannot be read: ${why}`, AFTER_DAMAGE[name])]
  }
}

function schemaFinding(name: string, { version, newest }: DatabaseFacts, engine: string): Finding {
  const { ok, warning, fault } = createFindings(name)
  if (version > newest) {
    return fault(
      `the file has schema version ${version}, this program knows ${newest}`,
      'Start the newer Cardstock that wrote it, or restore a backup with bun run restore.',
    )
  }
  if (version === newest) return ok(`opens with SQLite ${engine}, schema version ${version}`)
  return warning(
    `the file has schema version ${version} of ${newest}`,
    'The next start brings it up to date; keep a backup until then.',
  )
}

function damageFindings(name: 'catalog' | 'ledger', { damage }: DatabaseFacts): Finding[] {
  const { ok, fault } = createFindings(name)
  if (damage.length === 0) return [ok('the file is whole')]
  return [fault(`the file is damaged: ${damage.join('; ')}`, AFTER_DAMAGE[name])]
}

const AFTER_DAMAGE = {
  catalog:
    'Stop the server and restore a backup with bun run restore. Without one, move the file away and sync again: what is lost is the price history.',
  ledger:
    'Stop the server and restore a backup with bun run restore: accounts, keys and money are in this file.',
}

/** What the catalog has, how old it is, and how the last sync ended. */
export function checkGames({ dataDir, upstreamUrl }: Config, now: Date): Finding[] {
  const { ok, warning } = createFindings('games')
  const facts = inspectCatalog(dataDir)
  if (facts === undefined) return [ok('there is nothing to look at yet')]
  const { games, cards, pictures, last_sync } = facts
  if (games.length === 0) {
    return [
      warning('the catalog is empty', 'Set UPSTREAM_URL and run bun run sync, or run bun run up.'),
    ]
  }
  const share = cards === 0 ? 0 : Math.floor((100 * pictures) / cards)
  const findings = [
    ok(`${games.length} games, ${cards} cards, pictures of ${share} % of them are indexed`),
  ]
  const stale = games.filter((game) => staleSince(game, now) !== undefined)
  if (stale.length > 0 && upstreamUrl !== undefined) {
    const names = stale.slice(0, 5).map(({ slug }) => slug)
    findings.push(
      warning(
        `${stale.length} games have missed their refresh: ${names.join(', ')}${stale.length > 5 ? ', …' : ''}`,
        'Run bun run sync: it says which sets are refused, and why.',
      ),
    )
  }
  if (last_sync !== undefined && last_sync.outcome !== 'complete') {
    findings.push(
      warning(
        `the last sync, which ended at ${last_sync.finished_at}, was ${last_sync.outcome}`,
        'Run bun run sync: it says which sets are refused, and why.',
      ),
    )
  }
  return findings
}

/** Whether the clock agrees with what was written before: one that is behind makes everything look fresh. */
export function checkClock(dataDir: string, now: Date): Finding[] {
  const { ok, fault } = createFindings('clock')
  const published = publishedIn(dataDir)
  const marks: (readonly [string, number])[] = [CATALOG_FILE, LEDGER_FILE].flatMap((name) => {
    const path = join(dataDir, name)
    return existsSync(path) ? [[name, statSync(path).mtimeMs] as const] : []
  })
  if (published !== null) marks.push(['the newest prices', Date.parse(published)])
  const later = marks.find(([, at]) => at > now.getTime() + CLOCK_MS_MAX)
  if (later === undefined) return [ok(`${now.toISOString()} fits what was written before`)]
  return [
    fault(
      `it is ${now.toISOString()}, and ${later[0]} is of ${new Date(later[1]).toISOString()}`,
      'Set the clock, and keep it right with NTP.',
    ),
  ]
}

/** What cannot be read is told by the check of the file. */
function publishedIn(dataDir: string): string | null {
  try {
    return inspectCatalog(dataDir)?.published_at ?? null
  } catch {
    return null
  }
}

const CLOCK_MS_MAX = 300_000
