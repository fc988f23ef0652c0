/** Continues at once unless the value is a promise: awaiting costs more than a lookup in the catalog. */
export function after<T, U>(
  value: T | Promise<T>,
  next: (value: T) => U | Promise<U>,
): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
