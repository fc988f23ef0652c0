import { redact } from '../../rules/primitives/redact.ts'

/** An error of this process, as the operator is told of it. */
export type RecentError = {
  at: Date
  /** What happened, in the words of the log. */
  event: string
  /** What is known of it, without what nobody else may see; may be empty. */
  message: string
  /** Of the request that it belongs to. */
  request_id: string | undefined
}

export type RecentErrors = ReturnType<typeof createRecentErrors>

/** Keeps the newest errors of this process, for the operator. Nothing of it outlives the process. */
export function createRecentErrors() {
  const lines: RecentError[] = []

  return {
    /** Notes an error with the facts that the log has of it. */
    add(at: Date, event: string, facts: object = {}): void {
      const { request_id, ...told } = Object.fromEntries(Object.entries(facts))
      const id = typeof request_id === 'string' ? request_id : undefined
      lines.unshift({ at, event, message: redact(messageOf(told)), request_id: id })
      lines.length = Math.min(lines.length, LINES_MAX)
    },
    /** Newest first. */
    list: (): readonly RecentError[] => [...lines],
  }
}

const LINES_MAX = 50

/** An error is told by its message alone: its stack, and whose it is, are for the log. */
function messageOf({ account_id: _, ...facts }: Record<string, unknown>): string {
  const told = Object.entries(facts).map(([name, value]) => {
    if (value instanceof Error) return value.message
    if (typeof value === 'string' && (name === 'reason' || name === 'job')) return value
    return typeof value === 'number' || typeof value === 'string' ? `${name} ${value}` : ''
  })
  return told.filter((one) => one !== '').join(': ')
}
