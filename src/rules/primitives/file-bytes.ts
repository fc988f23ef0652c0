/** Bytes of a file, in memory, or on disk and read when they are used. A `Uint8Array` is one. */
export type FileBytes = {
  readonly length: number
  /** Returns the bytes from `start` to `end`, or to the end of the file. */
  subarray(start: number, end: number): Uint8Array
}

/** Splits a file into pieces of this length, of which the last one may be shorter. */
export function* splitBytes(file: FileBytes, pieceBytes: number): Generator<Uint8Array> {
  for (let start = 0; start < file.length; start += pieceBytes) {
    yield file.subarray(start, Math.min(start + pieceBytes, file.length))
  }
}
