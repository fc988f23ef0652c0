/** Ids that tell the requests of all processes apart: a random beginning, then a count. */
export function createRequestIds(): () => string {
  const beginning = crypto.randomUUID().slice(0, 13)
  let count = 0
  return () => `${beginning}-${(count++).toString(36)}`
}
