import type { OperatorStatus } from '#client/endpoints.ts'
import { agoText, count, dayText, plural } from '../format.ts'
import { bytesText } from '../measure-text.ts'
import { sourceName } from '../pricing/price-origin.ts'

/** Status of one part of the service. */
export type HealthStatus = { name: string; state: 'good' | 'off' | 'wait' | 'bad'; text: string }

/** Returns the status of each part. The limits match docs/monitoring/rules.yml. */
export function healthStatuses(status: OperatorStatus): HealthStatus[] {
  return [
    { name: 'Mirror', ...mirrorVerdict(status) },
    { name: 'Prices', ...pricesVerdict(status) },
    ...(status.sources.length === 0 ? [] : [{ name: 'Price sources', ...sourcesVerdict(status) }]),
    ...(status.exchange_rates === null
      ? []
      : [{ name: 'Exchange rates', ...ratesVerdict(status.exchange_rates) }]),
    ...(status.servers === null ? [] : [{ name: 'Servers', ...serversVerdict(status.servers) }]),
    { name: 'Jobs', ...jobsVerdict(status) },
    { name: 'Photo reader', ...readerVerdict(status) },
    { name: 'Pictures', ...picturesVerdict(status) },
    { name: 'Alerts', ...alertsVerdict(status) },
    { name: 'Disk', ...diskVerdict(status) },
    { name: 'Backups', ...backupsVerdict(status) },
  ]
}

/** Summarizes all parts in one sentence. */
export function healthSummary(
  verdicts: readonly HealthStatus[],
): Pick<HealthStatus, 'state' | 'text'> {
  const named = (state: HealthStatus['state']) =>
    verdicts.filter((healthStatus) => healthStatus.state === state).map(({ name }) => name)
  const [bad, wait] = [named('bad'), named('wait')]
  if (bad.length > 0) return { state: 'bad', text: `Needs attention: ${bad.join(', ')}` }
  if (wait.length > 0) return { state: 'wait', text: `Warnings: ${wait.join(', ')}` }
  return { state: 'good', text: 'All systems operational' }
}

type StateText = Pick<HealthStatus, 'state' | 'text'>

function mirrorVerdict({ sync }: OperatorStatus): StateText {
  if (sync.is_replica) return { state: 'good', text: 'From the bucket' }
  if (sync.upstream === null) return { state: 'wait', text: 'Not set: prices stay as they are' }
  return { state: 'good', text: sync.upstream }
}

function pricesVerdict({ sync, games }: OperatorStatus): StateText {
  const stale = games.filter(({ is_stale }) => is_stale).length
  if (games.length === 0) return { state: 'wait', text: 'No data yet. Start a sync.' }
  if (sync.last?.outcome === 'failed') return { state: 'bad', text: 'The last sync failed' }
  if (stale > 0) {
    const state = stale === games.length ? 'bad' : 'wait'
    return { state, text: `${stale} of ${plural(games.length, 'game')} out of date` }
  }
  if (sync.last?.outcome === 'incomplete') {
    return { state: 'wait', text: 'The last sync was incomplete' }
  }
  return { state: 'good', text: `${plural(games.length, 'game')}, all up to date` }
}

function sourcesVerdict({ sources }: OperatorStatus): StateText {
  const names = [...new Set(sources.map(({ source }) => sourceName(source)))]
  const failed = sources.find(({ is_stale }) => is_stale)
  if (failed === undefined) return { state: 'good', text: names.join(', ') }
  const reason = failed.last_error === null ? '' : `: ${failed.last_error}`
  return { state: 'wait', text: `${sourceName(failed.source)} out of date${reason}` }
}

function ratesVerdict({
  newest_date,
  is_stale,
}: NonNullable<OperatorStatus['exchange_rates']>): StateText {
  if (newest_date === null) return { state: 'wait', text: 'None read yet' }
  return { state: is_stale ? 'wait' : 'good', text: `Of ${dayText(newest_date)}` }
}

function serversVerdict(servers: NonNullable<OperatorStatus['servers']>): StateText {
  const silent = servers.filter(({ is_silent }) => is_silent).length
  if (silent > 0) {
    return { state: 'wait', text: `${silent} of ${plural(servers.length, 'server')} not reporting` }
  }
  return { state: 'good', text: `${plural(servers.length, 'server')}, all running` }
}

/** A job that has succeeded before may recover without help. */
function jobsVerdict({ jobs }: OperatorStatus): StateText {
  const failed = jobs.filter(({ last_outcome }) => last_outcome === 'failed')
  if (failed.length === 0)
    return { state: 'good', text: `${plural(jobs.length, 'job')}, none failed` }
  const isBad = failed.some(({ runs, failures }) => runs === failures)
  return {
    state: isBad ? 'bad' : 'wait',
    text: `Failed: ${failed.map(({ name }) => name).join(', ')}`,
  }
}

function readerVerdict({ reader }: OperatorStatus): StateText {
  if (reader.state === 'off') return { state: 'off', text: 'Off' }
  if (reader.state === 'not ready') return { state: 'bad', text: 'Not ready' }
  if (reader.waiting > WAITING_MAX) {
    return { state: 'wait', text: `${plural(reader.waiting, 'photo')} waiting` }
  }
  return { state: 'good', text: `Ready, ${plural(reader.workers, 'thread')}` }
}

/** Photos are matched by print alone while their pictures are not indexed. */
function picturesVerdict({ reader, pictures }: OperatorStatus): StateText {
  const { is_enabled, cards, waiting, indexed } = pictures
  if (reader.state === 'off') return { state: 'off', text: 'Off' }
  if (!is_enabled) return { state: 'wait', text: 'Not indexed: turned off' }
  if (waiting > 0) {
    return { state: 'wait', text: `${count(waiting)} of ${plural(cards, 'picture')} not indexed` }
  }
  if (indexed < cards * INDEXED_SHARE_MIN) {
    return { state: 'wait', text: `Only ${count(indexed)} of ${count(cards)} could be indexed` }
  }
  return { state: 'good', text: `${count(indexed)} indexed` }
}

function alertsVerdict({ deliveries }: OperatorStatus): StateText {
  const late = deliveries.oldest_due_seconds
  if (late > OVERDUE_SECONDS_MAX) {
    return { state: 'bad', text: `Delayed by ${plural(Math.round(late / 60), 'minute')}` }
  }
  return { state: 'good', text: deliveries.watches === 0 ? 'No alerts' : 'On time' }
}

function diskVerdict({ disk }: OperatorStatus): StateText {
  const free = disk.free_bytes
  if (free === null) return { state: 'bad', text: 'Data folder not found' }
  const used = disk.files.reduce((sum, { bytes }) => sum + bytes, 0)
  const state = free < FREE_BYTES_MIN ? 'bad' : free < 2 * used ? 'wait' : 'good'
  return { state, text: `${bytesText(free)} free` }
}

function backupsVerdict({ backups, now, servers, sync }: OperatorStatus): StateText {
  // A fleet keeps its backups in the bucket and beside the database. A replica has no data to back up.
  const isElsewhere = servers !== null || sync.is_replica
  if (backups === null) {
    return isElsewhere
      ? { state: 'off', text: 'Not on this server' }
      : { state: 'wait', text: 'Off: a lost disk loses everything' }
  }
  if (backups.newest_at === null) return { state: 'wait', text: 'None yet' }
  const age = Date.parse(now) - Date.parse(backups.newest_at)
  const text = `Newest ${agoText(backups.newest_at, Date.parse(now))}`
  return { state: age > BACKUP_AGE_MS_MAX ? 'bad' : 'good', text }
}

const WAITING_MAX = 4
/** Marketplaces have placeholders instead of some pictures. */
const INDEXED_SHARE_MIN = 0.9
const OVERDUE_SECONDS_MAX = 300
const FREE_BYTES_MIN = 256 * 1024 * 1024
const BACKUP_AGE_MS_MAX = 2 * 3_600_000
