import type { Deps } from '#deps.ts'
import type { ServiceMode, StoredSettings } from '#rules/operations/service-settings.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { mirrorLabel } from '#rules/sync/mirror-label.ts'
import { checkMirror } from '../sync/check-mirror.ts'
import { SAMPLE_GAME_IDS } from '../sync/remove-sample.ts'

type SettingsDeps = Pick<Deps, 'config' | 'liveConfig' | 'catalog' | 'ledger' | 'now'>

/** Source of a setting: `default` until somebody chooses. Only `environment` cannot be changed here. */
export type SettingSource = 'environment' | 'stored' | 'default'

/** Choices of the operator, as they are and as they can be changed. */
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
    /** A replica takes the catalog and its pictures from a bucket. */
    is_replica: service.isReplica,
    has_sample: SAMPLE_GAME_IDS.some((id) => catalog.games.getBySlugOrId(String(id)) !== undefined),
  }
}

/** Changes to the choices; those that are undefined stay. */
export type SettingsChange = {
  mode?: ServiceMode
  /** Root of a mirror, with http: or https:; null: none. */
  mirror?: string | null
  /** True if the sample goes when the mirror has been read. */
  remove_sample?: boolean
  index_pictures?: boolean
  /** Ends the setup. */
  finish?: boolean
}

/**
 * Changes the choices of the operator, which take effect at once. A new mirror is read first.
 *
 * @throws ServiceError VALIDATION_ERROR, SETTING_FIXED for a setting of the environment, or MIRROR_UNUSABLE
 */
export async function changeServiceSettings(
  deps: SettingsDeps,
  change: SettingsChange,
  { account_id, address }: { account_id: number; address: string | undefined },
): Promise<void> {
  const { config, liveConfig, ledger, now } = deps
  const { service } = config
  if (change.mode !== undefined) assertFree('SERVICE_MODE', service.mode)
  if (change.index_pictures !== undefined) assertFree('INDEX_PICTURES', service.indexPictures)
  const mirror = change.mirror && parseMirror(change.mirror)
  if (mirror !== undefined) assertFree('UPSTREAM_URL', service.upstreamUrl)
  if (typeof mirror === 'string') await checkMirror(mirror, config.publicUrl)
  const stored: StoredSettings = {
    ...(change.mode !== undefined && { mode: change.mode }),
    ...(mirror !== undefined && { mirror }),
    ...(change.remove_sample !== undefined && { removesSample: change.remove_sample }),
    ...(change.index_pictures !== undefined && { indexPictures: change.index_pictures }),
    ...(change.finish === true && { isSetUp: true }),
  }
  await liveConfig.store(stored, now())
  const detail = Object.keys(stored).join(', ')
  await ledger.audit.create({ at: now(), event: 'settings_changed', account_id, address, detail })
}

function assertFree(variable: string, own: unknown): void {
  if (own === undefined) return
  throw new ServiceError(
    'SETTING_FIXED',
    `${variable} is set in the server's environment. Change it there, and restart the server.`,
  )
}

function parseMirror(mirror: string): string {
  const url = URL.parse(mirror)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const remedy = 'Use an address with https://. A folder can only be set as UPSTREAM_URL.'
    throw new ServiceError(
      'VALIDATION_ERROR',
      `"mirror" must be the address of a mirror. ${remedy}`,
    )
  }
  return mirror.replace(/\/+$/, '')
}
