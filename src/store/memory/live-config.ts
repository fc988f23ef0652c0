import { type Config, withStoredSettings } from '#config.ts'
import {
  formatStoredSettings,
  parseStoredSettings,
  type StoredSettings,
} from '#rules/operations/service-settings.ts'
import type { SettingStore } from '../ledger/settings.ts'

/** The settings of a running server, which the operator can change. */
export type LiveConfig = {
  /** Returns the current settings. */
  read(): Config
  /** Returns the stored choices. */
  readStored(): StoredSettings
  /** Stores choices, which take effect immediately. Other servers and commands find them by `refresh`. */
  store(change: StoredSettings, now: Date): Promise<void>
  /** Reads the choices that another process has stored. */
  refresh(): Promise<void>
  /** Calls `listener` after each change. */
  onChange(listener: () => void): void
}

/** Opens the settings of a server. @param config settings of the environment */
export async function openLiveConfig(config: Config, settings: SettingStore): Promise<LiveConfig> {
  const listeners: (() => void)[] = []
  let stored: StoredSettings = {}
  let current = config

  async function refresh(): Promise<void> {
    const next = parseStoredSettings(await settings.list())
    if (Bun.deepEquals(next, stored)) return
    stored = next
    current = withStoredSettings(config, stored)
    for (const listener of listeners) listener()
  }

  await refresh()
  return {
    read: () => current,
    readStored: () => stored,
    async store(change, now) {
      await settings.put(formatStoredSettings(change), now)
      await refresh()
    },
    refresh,
    onChange: (listener) => void listeners.push(listener),
  }
}
