/** A part of a list: at most `limit` rows after the first `offset`. */
export type RowWindow = { limit: number; offset: number }

/** The rows of a window, and how many rows the whole list has. */
export type RowPage<Row> = { rows: Row[]; total: number }

/** Returns the bytes of a column of numbers, as they are stored. */
export function bytesOf(column: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(column.buffer)
}

/** Copies a stored blob, because it may begin at any offset. */
export function copyBytes(blob: Uint8Array): ArrayBuffer {
  return new Uint8Array(blob).buffer
}
