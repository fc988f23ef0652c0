import { writeStored } from './stored-text.ts'

/** Color scheme of all pages, stored in this browser. */
export type Theme = 'system' | 'light' | 'dark'

/** Returns the current theme, which `page-start.js` has applied. */
export function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme and stores it. */
export function setTheme(theme: string): void {
  dispatchEvent(new CustomEvent('cardstock.theme', { detail: theme }))
  writeStored('cardstock.theme', theme)
}

/**
 * Calls the listener when the theme or the system has changed the colors.
 *
 * @returns a function that removes the listener
 */
export function onThemeChange(listener: () => void): () => void {
  const attribute = new MutationObserver(listener)
  attribute.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', listener)
  return () => {
    attribute.disconnect()
    scheme.removeEventListener('change', listener)
  }
}
