import type { Deps } from '#deps.ts'

/** Reads the settings again and again: another server or a command may change them. @returns the end of it */
export function followStoredSettings({ liveConfig, log }: Pick<Deps, 'liveConfig' | 'log'>) {
  let isFailing = false
  const timer = setInterval(async () => {
    try {
      await liveConfig.refresh()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn('failed to read the stored settings', { error })
      isFailing = true
    }
  }, EVERY_MS)
  return { close: () => clearInterval(timer) }
}

const EVERY_MS = 5_000
