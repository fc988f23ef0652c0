// Texts that this browser keeps for its user. A browser that blocks storage throws, and keeps none.

/** Returns a stored text; null without one. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text, or removes it. */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // It lasts as long as the page that has it.
  }
}
