/** Returns an object with a step added to its `close`. */
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
