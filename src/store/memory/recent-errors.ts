import { redact } from '#rules/primitives/redact.ts'

/** An error of this process, as the status page shows it. */
export type RecentError = {
  at: Date
  /** Event name of the log. */
  event: string
  /** Redacted details; may be empty. */
  message: string
  /** Id of the failed request; undefined for background work. */
  request_id: string | undefined
}

/** The newest errors of this process. Nothing is stored on disk. */
export type RecentErrors = {
  /** Adds an error with the facts that were logged. */
  add(at: Date, event: string, facts?: object): void
  /** Lists the errors, newest first. */
  list(): readonly RecentError[]
}

/** Creates an empty list of errors. */
export function createRecentErrors(): RecentErrors {
  const errors: RecentError[] = []

  return {
    add(at, event, facts = {}) {
      const { request_id, ...details } = Object.fromEntries(Object.entries(facts))
      const id = typeof request_id === 'string' ? request_id : undefined
      errors.unshift({ at, event, message: redact(formatDetails(details)), request_id: id })
      errors.length = Math.min(errors.length, ERRORS_MAX)
    },
    list: () => [...errors],
  }
}

const ERRORS_MAX = 50

/** Uses only the message of an error. Its stack and its account are in the log only. */
function formatDetails({ account_id: _, ...facts }: Record<string, unknown>): string {
  const parts = Object.entries(facts).map(([name, value]) => {
    if (value instanceof Error) return value.message
    if (typeof value === 'string' && (name === 'reason' || name === 'job')) return value
    return typeof value === 'number' || typeof value === 'string' ? `${name} ${value}` : ''
  })
  return parts.filter((part) => part !== '').join(': ')
}
