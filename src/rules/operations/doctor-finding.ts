/**
 * Result of one check. A fault prevents the service from working as it should; a warning may be
 * intended.
 */
export type Finding = {
  check: string
  level: 'ok' | 'warning' | 'fault'
  message: string
  /** Remedy. */
  fix?: string
}

/** Creates the findings of one check. */
export function createFindings(check: string) {
  return {
    ok: (says: string): Finding => ({ check, level: 'ok', message: says }),
    warning: (says: string, mend: string): Finding => ({
      check,
      level: 'warning',
      message: says,
      fix: mend,
    }),
    fault: (says: string, mend: string): Finding => ({
      check,
      level: 'fault',
      message: says,
      fix: mend,
    }),
  }
}

/** Formats a number of bytes with its unit. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
