import type { Deps } from '#deps.ts'
import type { ServiceMode, StoredSettings } from '#rules/operations/service-settings.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findMirrorProblem, mirrorLabel, SAMPLE_GAME_IDS } from '#rules/sync/mirror-address.ts'
import type { AuditEntry } from '#store/ledger/audit.ts'
import { checkMirror, type MirrorFacts } from '../sync/check-mirror.ts'

type SettingsDeps = Pick<Deps, 'config' | 'liveConfig' | 'catalog' | 'ledger' | 'now'>

/** Source of a setting: `default` until somebody chooses. Only `environment` cannot be changed here. */
export type SettingSource = 'environment' | 'stored' | 'default'

/** Returns the operator's choices, and whether each can be changed. */
export function getServiceSettings({ config, liveConfig, catalog }: Omit<SettingsDeps, 'ledger'>) {
  const { service } = config
  const stored = liveConfig.readStored()
  const sourceOf = (own: unknown, chosen: unknown): SettingSource => {
    if (own !== undefined) return 'environment'
    return chosen === undefined ? 'default' : 'stored'
  }
  return {
    is_finished: stored.isSetUp === true,
    mode: { value: config.mode, source: sourceOf(service.mode, stored.mode) },
    mirror: {
      value: config.upstreamUrl === undefined ? null : mirrorLabel(config.upstreamUrl),
      source: sourceOf(service.upstreamUrl, stored.mirror),
    },
    index_pictures: {
      value: config.indexPictures,
      source: sourceOf(service.indexPictures, stored.indexPictures),
    },
    exchange_rates: {
      value: config.exchangeRatesUrl !== undefined,
      source: sourceOf(service.exchangeRatesUrl, stored.exchangeRates),
    },
    /** A replica takes the catalog and its pictures from a bucket. */
    is_replica: service.isReplica,
    has_sample: SAMPLE_GAME_IDS.some((id) => catalog.games.getBySlugOrId(String(id)) !== undefined),
  }
}

/** Changes of the choices; undefined members stay the same. */
export type SettingsChange = {
  mode?: ServiceMode
  /** Root of a mirror, with http: or https:; null for none. */
  mirror?: string | null
  /** True if the sample is to be removed after the mirror has been read. */
  remove_sample?: boolean
  index_pictures?: boolean
  /** True if reference rates for the conversion of prices are fetched. */
  exchange_rates?: boolean
  /** Ends the setup. */
  finish?: boolean
}

/** Origin of a change, for the audit log: the account, and the address of its client. */
export type SettingsAuthor = Pick<AuditEntry, 'account_id' | 'address'>

/** A change that can be stored, and the facts about its mirror. */
export type CheckedSettings = { stored: StoredSettings; mirror: MirrorFacts | undefined }

/** Changes the operator's choices, which take effect at once. @throws like `checkServiceSettings` */
export async function changeServiceSettings(
  deps: SettingsDeps,
  change: SettingsChange,
  author: SettingsAuthor,
): Promise<void> {
  await storeServiceSettings(deps, await checkServiceSettings(deps, change), author)
}

/**
 * Checks a change without storing it. A new mirror is read.
 *
 * @throws ServiceError VALIDATION_ERROR, SETTING_FIXED for a setting of the environment, or MIRROR_UNUSABLE
 */
export async function checkServiceSettings(
  { config }: Pick<SettingsDeps, 'config'>,
  change: SettingsChange,
): Promise<CheckedSettings> {
  const { service } = config
  if (change.mode !== undefined) assertFree('SERVICE_MODE', service.mode)
  if (change.index_pictures !== undefined) assertFree('INDEX_PICTURES', service.indexPictures)
  if (change.exchange_rates !== undefined) {
    assertFree('EXCHANGE_RATES_URL', service.exchangeRatesUrl)
  }
  const mirror = change.mirror && parseMirror(change.mirror)
  if (mirror !== undefined) assertFree('UPSTREAM_URL', service.upstreamUrl)
  const facts = typeof mirror === 'string' ? await checkMirror(mirror, config.publicUrl) : undefined
  const stored: StoredSettings = {
    ...(change.mode !== undefined && { mode: change.mode }),
    ...(mirror !== undefined && { mirror }),
    ...(change.remove_sample !== undefined && { removesSample: change.remove_sample }),
    ...(change.index_pictures !== undefined && { indexPictures: change.index_pictures }),
    ...(change.exchange_rates !== undefined && { exchangeRates: change.exchange_rates }),
    ...(change.finish === true && { isSetUp: true }),
  }
  return { stored, mirror: facts }
}

/** Stores a checked change. */
export async function storeServiceSettings(
  { liveConfig, ledger, now }: Pick<SettingsDeps, 'liveConfig' | 'ledger' | 'now'>,
  { stored }: CheckedSettings,
  author: SettingsAuthor,
): Promise<void> {
  await liveConfig.store(stored, now())
  const detail = Object.keys(stored).join(', ')
  await ledger.audit.create({ at: now(), event: 'settings_changed', ...author, detail })
}

function assertFree(variable: string, own: unknown): void {
  if (own === undefined) return
  throw new ServiceError(
    'SETTING_FIXED',
    `${variable} is set in the server's environment. Change it there, and restart the server.`,
  )
}

function parseMirror(mirror: string): string {
  const problem = findMirrorProblem(mirror)
  if (problem !== undefined) throw new ServiceError('VALIDATION_ERROR', `"mirror" ${problem}.`)
  return mirror.replace(/\/+$/, '')
}
