/** Texts of the health of a server's parts. */
import { pluralText } from '../../../format.ts'

export const mirror = 'Mirror'
export const prices = 'Prices'
export const priceSources = 'Price sources'
export const exchangeRates = 'Exchange rates'
export const servers = 'Servers'
export const jobs = 'Jobs'
export const photoReader = 'Photo reader'
export const pictures = 'Pictures'
export const alerts = 'Alerts'
export const disk = 'Disk'
export const backups = 'Backups'
export const needsAttention = (names: string) => `Needs attention: ${names}`
export const warnings = (names: string) => `Warnings: ${names}`
export const allSystemsOperational = 'All systems operational'
export const fromTheBucket = 'From the bucket'
export const notSetPricesStayAsThey = 'Not set: prices stay as they are'
export const noDataYetStartASync = 'No data yet. Start a sync.'
export const lastSyncFailed = 'The last sync failed'
export const gamesOutOfDate = ({ stale, games }: Record<'stale' | 'games', number>) =>
  `${stale} of ${pluralText(games, { one: '# game', other: '# games' })} out of date`
export const lastSyncWasIncomplete = 'The last sync was incomplete'
export const gamesUpToDate = (games: number) =>
  `${pluralText(games, { one: '# game', other: '# games' })}, all up to date`
export const outOfDate = (source: string) => `${source} out of date`
export const outOfDateBecause = ({ source, reason }: Record<'source' | 'reason', string>) =>
  `${source} out of date: ${reason}`
export const noneReadYet = 'None read yet'
export const ratesOf = (newestDate: string) => `Of ${newestDate}`
export const serversNotReporting = ({ silent, servers }: Record<'silent' | 'servers', number>) =>
  `${silent} of ${pluralText(servers, { one: '# server', other: '# servers' })} not reporting`
export const serversRunning = (servers: number) =>
  `${pluralText(servers, { one: '# server', other: '# servers' })}, all running`
export const jobsRunning = (jobs: number) =>
  `${pluralText(jobs, { one: '# job', other: '# jobs' })}, none failed`
export const failed = (names: string) => `Failed: ${names}`
export const off = 'Off'
export const readAsGood = 'OK:'
export const notReady = 'Not ready'
export const photosWaiting = (waiting: number) =>
  `${pluralText(waiting, { one: '# photo', other: '# photos' })} waiting`
export const readyThreads = (workers: number) =>
  `Ready, ${pluralText(workers, { one: '# thread', other: '# threads' })}`
export const notIndexedTurnedOff = 'Not indexed: turned off'
export const picturesWaiting = ({ waiting, cards }: { waiting: string; cards: number }) =>
  `${waiting} of ${pluralText(cards, { one: '# picture', other: '# pictures' })} not indexed`
export const onlyOfCouldBeIndexed = ({ indexed, cards }: Record<'indexed' | 'cards', string>) =>
  `Only ${indexed} of ${cards} could be indexed`
export const indexed = (indexed: string) => `${indexed} indexed`
export const delayedBy = (round: number) =>
  `Delayed by ${pluralText(round, { one: '# minute', other: '# minutes' })}`
export const noAlerts = 'No alerts'
export const onTime = 'On time'
export const dataFolderNotFound = 'Data folder not found'
export const free = (bytes: string) => `${bytes} free`
export const notOnThisServer = 'Not on this server'
export const offALostDiskLosesEverything = 'Off: a lost disk loses everything'
export const noneYet = 'None yet'
export const newest = (newestAt: string) => `Newest ${newestAt}`
export const notCurrentTheServerDid = 'Not current: the server did not answer'
export const readAsOff = 'Off:'
export const readAsWarning = 'Warning:'
export const readAsBad = 'Needs attention:'
export const loading = 'Loading'
