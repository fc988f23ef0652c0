/** A fault prevents the service from working properly; a warning may be intended. */
export type CheckResult = {
  level: 'ok' | 'warning' | 'fault'
  message: string
  /** Remedy. */
  fix?: string
}

/** Result with the name of its check. */
export type Finding = { check: string } & CheckResult

export const ok = (message: string): CheckResult => ({ level: 'ok', message })
const problem =
  (level: 'warning' | 'fault') =>
  (message: string, fix: string): CheckResult => ({ level, message, fix })
export const warning = problem('warning')
export const fault = problem('fault')

/** Formats a number with its noun, such as `1 game`. */
export function formatCount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Formats a number of bytes with its unit. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
