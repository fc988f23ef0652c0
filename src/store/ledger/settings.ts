import type { SettingTexts } from '#rules/operations/service-settings.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { ServiceSettingRow } from './schema/operations.ts'

/** Choices of the operator, by name. */
export type SettingStore = {
  list(): Promise<SettingTexts>
  /** Stores all of these settings or none; other settings stay unchanged. */
  put(settings: SettingTexts, now: Date): Promise<void>
}

export function openSettingStore(engine: LedgerEngine): SettingStore {
  const { query, transact } = engine
  const list = engine.prepare<[], Pick<ServiceSettingRow, 'name' | 'value'>>(
    'SELECT name, value FROM service_settings ORDER BY name',
  )
  const put = engine.prepare<[ServiceSettingRow]>(
    `INSERT INTO service_settings (name, value, changed_at) VALUES (@name, @value, @changed_at)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at`,
  )
  return {
    async list() {
      const rows = await query(list.all())
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    },
    put: (settings, now) =>
      transact(function* () {
        for (const [name, value] of Object.entries(settings)) {
          yield* put.run({ name, value, changed_at: now.getTime() })
        }
      }),
  }
}
