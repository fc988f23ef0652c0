/**
 * Frees what was read of a photo: some 30 MB of pixels, or 100 MB of a page, and 25 MB for each reading of its text. The
 * garbage collector counts the memory of the networks twice, and would wait until there is as much garbage. Takes about
 * 10 ms.
 */
export function freeMemory(): void {
  Bun.gc(true)
}
