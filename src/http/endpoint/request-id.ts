/** Creates request IDs that are unique across processes: a random prefix and a counter. */
export function createRequestIds(): () => string {
  const prefix = crypto.randomUUID().slice(0, 13)
  let count = 0
  return () => `${prefix}-${(count++).toString(36)}`
}
