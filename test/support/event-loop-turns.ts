/** The number of turns of the event loop during an operation, and its duration in milliseconds. */
export async function countTurns<T>(
  work: Promise<T>,
): Promise<{ result: T; turns: number; ms: number }> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const began = performance.now()
  const result = await work
  const ms = performance.now() - began
  isOver = true
  return { result, turns, ms }
}
