/** Texts of the operator's page: server, sync, jobs and games. */
import type { ReactNode } from 'react'
import { pluralText } from '../../../format.ts'
import { type Markup, rich } from '../../rich-text.ts'

export const backups = 'Backups'
export const backupDirOffBackups = (code: Markup) =>
  rich`${code('BACKUP_DIR=off')}: backups are disabled.`
export const server = 'Server'
export const version = 'Version'
export const upSince = 'Up since'
export const port = 'Port'
export const notShared = 'not shared'
export const requests = 'Requests'
export const serverErrors = 'Server errors'
export const accounts = 'Accounts'
export const lastChange = 'Last change'
export const pricesFrom = 'Prices from'
export const sets = 'Sets'
export const cards = 'Cards'
export const threads = 'Threads'
export const photosWaiting = 'Photos waiting'
export const photosProcessing = 'Photos processing'
export const scansToday = 'Scans today'
export const threadsReplaced = 'Threads replaced'
export const indexedImages = 'Indexed images'
export const activeAlerts = 'Active alerts'
export const pendingDeliveries = 'Pending deliveries'
export const dueNow = 'Due now'
export const longestOverdue = 'Longest overdue'
export const secondCount = (oldestDueSeconds: number) =>
  pluralText(oldestDueSeconds, { one: '# second', other: '# seconds' })
export const undelivered30Days = 'Undelivered (30 days)'
export const receivers = 'Receivers'
export const publicAddresses = 'Public addresses'
export const alsoThisMachine = 'Also this machine'
export const free = 'Free'
export const disk = 'Disk'
export const newest = 'Newest'
export const noneYet = 'none yet'
export const totalSize = 'Total size'
export const logInToSeeTheServer = 'Log in to see the server status.'
export const operatorsOnly = 'Operators only'
export const becomeOperator = 'To make your account an operator, run this command on the server:'
export const games = 'Games'
export const game = 'Game'
export const synced = (agoOrNever: string) => `Synced ${agoOrNever}`
export const status = 'Status'
export const syncedColumn = 'Synced'
export const published = 'Published'
export const upToDate = 'Up to date'
export const neverSynced = 'Never synced'
export const outOfDateSince = (slice: string) => `Out of date since ${slice}`
export const servers = 'Servers'
export const upSinceSeen = ({ startedAt, seenAt }: Record<'startedAt' | 'seenAt', string>) =>
  `Up since ${startedAt}, seen ${seenAt}`
export const photoReader = 'Photo reader'
export const lastSeen = 'Last seen'
export const notReporting = 'Not reporting'
export const noPhotos = 'No photos'
export const running = 'Running'
export const jobs = 'Jobs'
export const noJobsTheServerIsStarting = 'No jobs. The server is starting or stopping.'
export const job = 'Job'
export const on = (server: string) => `on ${server}`
export const next = (nextAt: string) => `Next ${nextAt}`
export const lastResult = 'Last result'
export const ended = 'Ended'
export const nextColumn = 'Next'
export const onRequest = 'on request'
export const runs = 'Runs'
export const failed = 'Failed'
export const notRun = 'Not run'
export const done = 'Done'
export const operator = 'Operator'
export const serverStatus = 'Server status'
export const updatedAt = ({ time, seconds }: { time: string; seconds: number }) =>
  `Updated ${time}; refreshes every ${seconds} s.`
export const references = 'References'
export const settings = 'Settings'
export const refresh = 'Refresh'
export const recentErrors = 'Recent errors'
export const noErrorsSinceStart = 'No errors since start.'
export const request = (requestId: ReactNode) => rich`Request ${requestId}`
export const sync = 'Sync'
export const noMirrorConfiguredChooseOne = (link: Markup) =>
  rich`No mirror configured. ${link('Choose one in the settings.')}`
export const from = (upstream: ReactNode) => rich`From ${upstream}`
export const gamesToSync = 'Games to sync'
export const allGamesWithNewData = 'All games with new data'
export const syncNow = 'Sync now'
export const forceFullSync = 'Force full sync…'
export const forceAFullSync = 'Force a full sync?'
export const forceFullSyncNow = 'Force full sync'
export const allGamesInFull =
  'All games are downloaded again in full, and the checks against broken data are disabled. This can take an hour.'
export const gameInFull =
  'The game is downloaded again in full, and the checks against broken data are disabled. This can take an hour.'
export const syncHasStarted = 'The sync has started.'
export const pageUpdatesWhenItEnds = ({ pulse, running }: Record<'pulse' | 'running', ReactNode>) =>
  rich`${pulse}${running} This page updates when it ends.`
export const importOfOlderPrices = 'An import of older prices is running.'
export const syncIsRunning = 'A sync is running.'
export const syncWasInterruptedSee = 'Your sync was interrupted. See the recent errors below.'
export const noSyncHasRunYet = 'No sync has run yet.'
export const yourSync = (outcome: string) => `Your sync: ${outcome}.`
export const lastSync = (outcome: string) => `Last sync: ${outcome}.`
export const complete = 'complete'
export const incomplete = 'incomplete'
export const outcomeFailed = 'failed'
export const none = 'none'
export const unknown = 'unknown'
export const shared = 'shared'
export const took = ({ endedAt, duration }: Record<'endedAt' | 'duration', string>) =>
  `${endedAt} · took ${duration}`
export const gameCount = (games: number) => pluralText(games, { one: '# game', other: '# games' })
export const setRead = (setsRead: number) =>
  `${pluralText(setsRead, { one: '# set', other: '# sets' })} read`
export const cardRead = (cardsRead: number) =>
  `${pluralText(cardsRead, { one: '# card', other: '# cards' })} read`
export const priceChanged = (pricesChanged: number) =>
  `${pluralText(pricesChanged, { one: '# price', other: '# prices' })} changed`
export const recordSkipped = (badRecords: number) =>
  `${pluralText(badRecords, { one: '# record', other: '# records' })} skipped`
export const allGames = 'All games'
export const set = ({ name, setId }: { name: string; setId: number }) => `${name}, set ${setId}`
