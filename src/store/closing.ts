/** Adds a step to `close`. */
export function closing<Store extends { close(): void }>(store: Store, release: () => void): Store {
  const { close } = store
  return {
    ...store,
    close() {
      close()
      release()
    },
  }
}
