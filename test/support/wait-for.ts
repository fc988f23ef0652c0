/** Waits until a condition is met. @throws Error after a timeout that no busy machine reaches */
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
