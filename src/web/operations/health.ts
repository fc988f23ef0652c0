import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/health.ts'
import { agoText, count, dayText } from '../format.ts'
import { bytesText } from '../measure-text.ts'
import { sourceName } from '../pricing/price-origin.ts'
import { listText } from '../texts/list-text.ts'

/** Status of one part of the service. */
export type HealthStatus = { name: string; state: 'good' | 'off' | 'wait' | 'bad'; text: string }

/** Returns the status of each part. The limits match docs/monitoring/rules.yml. */
export function healthStatuses(status: OperatorStatus): HealthStatus[] {
  return [
    { name: texts.mirror, ...mirrorVerdict(status) },
    { name: texts.prices, ...pricesVerdict(status) },
    ...(status.sources.length === 0
      ? []
      : [{ name: texts.priceSources, ...sourcesVerdict(status) }]),
    ...(status.exchange_rates === null
      ? []
      : [{ name: texts.exchangeRates, ...ratesVerdict(status.exchange_rates) }]),
    ...(status.servers === null
      ? []
      : [{ name: texts.servers, ...serversVerdict(status.servers) }]),
    { name: texts.jobs, ...jobsVerdict(status) },
    { name: texts.photoReader, ...readerVerdict(status) },
    { name: texts.pictures, ...picturesVerdict(status) },
    { name: texts.alerts, ...alertsVerdict(status) },
    { name: texts.disk, ...diskVerdict(status) },
    { name: texts.backups, ...backupsVerdict(status) },
  ]
}

/** Summarizes all parts in one sentence. */
export function healthSummary(
  verdicts: readonly HealthStatus[],
): Pick<HealthStatus, 'state' | 'text'> {
  const named = (state: HealthStatus['state']) =>
    verdicts.filter((healthStatus) => healthStatus.state === state).map(({ name }) => name)
  const [bad, wait] = [named('bad'), named('wait')]
  if (bad.length > 0) return { state: 'bad', text: texts.needsAttention(listText(bad)) }
  if (wait.length > 0) return { state: 'wait', text: texts.warnings(listText(wait)) }
  return { state: 'good', text: texts.allSystemsOperational }
}

type StateText = Pick<HealthStatus, 'state' | 'text'>

function mirrorVerdict({ sync }: OperatorStatus): StateText {
  if (sync.is_replica) return { state: 'good', text: texts.fromTheBucket }
  if (sync.upstream === null) return { state: 'wait', text: texts.notSetPricesStayAsThey }
  return { state: 'good', text: sync.upstream }
}

function pricesVerdict({ sync, games }: OperatorStatus): StateText {
  const stale = games.filter(({ is_stale }) => is_stale).length
  if (games.length === 0) return { state: 'wait', text: texts.noDataYetStartASync }
  if (sync.last?.outcome === 'failed') return { state: 'bad', text: texts.lastSyncFailed }
  if (stale > 0) {
    const state = stale === games.length ? 'bad' : 'wait'
    return { state, text: texts.gamesOutOfDate({ stale, games: games.length }) }
  }
  if (sync.last?.outcome === 'incomplete') {
    return { state: 'wait', text: texts.lastSyncWasIncomplete }
  }
  return { state: 'good', text: texts.gamesUpToDate(games.length) }
}

function sourcesVerdict({ sources }: OperatorStatus): StateText {
  const names = [...new Set(sources.map(({ source }) => sourceName(source)))]
  const failed = sources.find(({ is_stale }) => is_stale)
  if (failed === undefined) return { state: 'good', text: listText(names) }
  const source = sourceName(failed.source)
  const text =
    failed.last_error === null
      ? texts.outOfDate(source)
      : texts.outOfDateBecause({ source, reason: failed.last_error })
  return { state: 'wait', text }
}

function ratesVerdict({
  newest_date,
  is_stale,
}: NonNullable<OperatorStatus['exchange_rates']>): StateText {
  if (newest_date === null) return { state: 'wait', text: texts.noneReadYet }
  return { state: is_stale ? 'wait' : 'good', text: texts.ratesOf(dayText(newest_date)) }
}

function serversVerdict(servers: NonNullable<OperatorStatus['servers']>): StateText {
  const silent = servers.filter(({ is_silent }) => is_silent).length
  if (silent > 0) {
    return { state: 'wait', text: texts.serversNotReporting({ silent, servers: servers.length }) }
  }
  return { state: 'good', text: texts.serversRunning(servers.length) }
}

/** A job that has succeeded before may recover without help. */
function jobsVerdict({ jobs }: OperatorStatus): StateText {
  const failed = jobs.filter(({ last_outcome }) => last_outcome === 'failed')
  if (failed.length === 0) return { state: 'good', text: texts.jobsRunning(jobs.length) }
  const isBad = failed.some(({ runs, failures }) => runs === failures)
  return {
    state: isBad ? 'bad' : 'wait',
    text: texts.failed(listText(failed.map(({ name }) => name))),
  }
}

function readerVerdict({ reader }: OperatorStatus): StateText {
  if (reader.state === 'off') return { state: 'off', text: texts.off }
  if (reader.state === 'not ready') return { state: 'bad', text: texts.notReady }
  if (reader.waiting > WAITING_MAX) {
    return { state: 'wait', text: texts.photosWaiting(reader.waiting) }
  }
  return { state: 'good', text: texts.readyThreads(reader.workers) }
}

/** Photos are matched by print alone while their pictures are not indexed. */
function picturesVerdict({ reader, pictures }: OperatorStatus): StateText {
  const { is_enabled, cards, waiting, indexed } = pictures
  if (reader.state === 'off') return { state: 'off', text: texts.off }
  if (!is_enabled) return { state: 'wait', text: texts.notIndexedTurnedOff }
  if (waiting > 0) {
    return { state: 'wait', text: texts.picturesWaiting({ waiting: count(waiting), cards }) }
  }
  if (indexed < cards * INDEXED_SHARE_MIN) {
    return {
      state: 'wait',
      text: texts.onlyOfCouldBeIndexed({ indexed: count(indexed), cards: count(cards) }),
    }
  }
  return { state: 'good', text: texts.indexed(count(indexed)) }
}

function alertsVerdict({ deliveries }: OperatorStatus): StateText {
  const late = deliveries.oldest_due_seconds
  if (late > OVERDUE_SECONDS_MAX) {
    return { state: 'bad', text: texts.delayedBy(Math.round(late / 60)) }
  }
  return { state: 'good', text: deliveries.watches === 0 ? texts.noAlerts : texts.onTime }
}

function diskVerdict({ disk }: OperatorStatus): StateText {
  const free = disk.free_bytes
  if (free === null) return { state: 'bad', text: texts.dataFolderNotFound }
  const used = disk.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const state = free < FREE_BYTES_MIN ? 'bad' : free < 2 * used ? 'wait' : 'good'
  return { state, text: texts.free(bytesText(free)) }
}

function backupsVerdict({ backups, now, servers, sync }: OperatorStatus): StateText {
  // A fleet keeps its backups in the bucket and beside the database. A replica has no data to back up.
  const isElsewhere = servers !== null || sync.is_replica
  if (backups === null) {
    return isElsewhere
      ? { state: 'off', text: texts.notOnThisServer }
      : { state: 'wait', text: texts.offALostDiskLosesEverything }
  }
  if (backups.newest_at === null) return { state: 'wait', text: texts.noneYet }
  const age = Date.parse(now) - Date.parse(backups.newest_at)
  const text = texts.newest(agoText(backups.newest_at, Date.parse(now)))
  return { state: age > BACKUP_AGE_MS_MAX ? 'bad' : 'good', text }
}

const WAITING_MAX = 4
/** Marketplaces have placeholders instead of some pictures. */
const INDEXED_SHARE_MIN = 0.9
const OVERDUE_SECONDS_MAX = 300
const FREE_BYTES_MIN = 256 * 1024 * 1024
const BACKUP_AGE_MS_MAX = 2 * 3_600_000
