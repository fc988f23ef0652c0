import { type RefObject, useEffect } from 'react'

/** Registers `/` as the shortcut that focuses a field and selects its text. */
export function useSlashShortcut(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isSlash(event)) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [field])
}

/** Returns true for `/` outside of form fields. */
function isSlash({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key !== '/' || ctrlKey || metaKey || altKey) return false
  return !(target instanceof Element && target.closest('input, textarea, select') !== null)
}
