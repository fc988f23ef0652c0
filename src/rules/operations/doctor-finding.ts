/** What one check found. A fault keeps the service from working as it should; a warning may be meant so. */
export type Finding = {
  check: string
  level: 'ok' | 'warning' | 'fault'
  says: string
  /** What to do about it. */
  mend?: string
}

/** Names the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (says: string): Finding => ({ check, level: 'ok', says }),
    warning: (says: string, mend: string): Finding => ({ check, level: 'warning', says, mend }),
    fault: (says: string, mend: string): Finding => ({ check, level: 'fault', says, mend }),
  }
}

/** Bytes as people read them. */
export function inBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
