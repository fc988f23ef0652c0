let isReturn = false

// The router dispatches pushState; the browser dispatches popstate.
addEventListener('popstate', () => {
  isReturn = true
})
addEventListener('pushState', () => {
  isReturn = false
})

/** Returns true after back or forward navigation. */
export function isHistoryNavigation(): boolean {
  return isReturn
}
