import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Changes one byte of a compressed file so that its content changes. About one byte in 2,000 has no effect, because the
 * format has several forms of the same content.
 *
 * @param from the first offset that may change
 */
export function damageObject(path: string, from: number): void {
  const packed = readFileSync(path)
  const content = unpack(packed)
  for (let at = from; at < packed.length; at++) {
    const damaged = Buffer.from(packed)
    damaged[at] = (damaged[at] ?? 0) ^ 0xff
    if (unpack(damaged)?.equals(content ?? damaged) === true) continue
    writeFileSync(path, damaged)
    return
  }
  throw new Error(`${path} has no byte that matters from ${from} on`)
}

/** Returns the content; undefined if it cannot be decompressed. */
function unpack(packed: Buffer): Buffer | undefined {
  try {
    return Buffer.from(Bun.zstdDecompressSync(packed))
  } catch {
    return undefined
  }
}
