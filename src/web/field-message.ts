import type { ApiError } from '#client/client.ts'

/** Returns an API message with the label of the form instead of the JSON name of the field. */
export function fieldMessage({ message }: Pick<ApiError, 'message'>, label: string): string {
  return message.replace(FIELD_NAME, `${label} `)
}

/** Matches the beginning of messages about a field: `"name" must be…`, or `name must have…`. */
const FIELD_NAME = /^(?:"[\w.[\]]+"|\w+(?= (?:must|contains|is required)\b)) /
