import { ServiceError } from './errors.ts'
import { describeStorageFault, firstLine } from './storage-fault.ts'

/**
 * Returns the line that an operator reads when a program fails. A stack would not help them, so a bug
 * appears as its message and the setting that prints the stack.
 *
 * @param withStack appends the stack of a bug
 */
export function failureText(error: unknown, withStack: boolean): string {
  if (error instanceof ServiceError) return error.message
  const fault = describeStorageFault(error)
  if (fault !== undefined) return fault
  if (withStack && error instanceof Error) return error.stack ?? error.message
  return `Internal error: ${firstLine(error)}. Set LOG_LEVEL=debug, try again, and report the output.`
}
