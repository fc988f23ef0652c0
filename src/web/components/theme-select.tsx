import { useSyncExternalStore } from 'react'
import { getTheme, onThemeChange, setTheme } from '../theme.ts'
import { ThemeIcon } from './icons.tsx'

/** List of themes behind an icon. The pages of the server have the same one (`document.html`). */
export function ThemeSelect() {
  const theme = useSyncExternalStore(onThemeChange, getTheme)
  return (
    <label className="theme-select" title="Theme">
      <ThemeIcon />
      <span className="visually-hidden">Theme</span>
      <select value={theme} onChange={({ target }) => setTheme(target.value)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
