/** Waits until something is so. @throws Error after a limit that a busy machine does not reach */
export async function waitFor(
  isSo: () => boolean | Promise<boolean>,
  msMax = 60_000,
): Promise<void> {
  const end = performance.now() + msMax
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it was not so within ${msMax} ms: ${isSo}`)
    await Bun.sleep(2)
  }
}
