import { type FocusEvent, type KeyboardEvent, type PointerEvent, useId, useState } from 'react'

type ComboboxOptions = {
  /** Unique keys of the options. */
  keys: readonly string[]
  onPick: (key: string) => void
}

/**
 * Combobox after the WAI-ARIA pattern: focus stays in the field, arrows select, Enter picks, Escape closes.
 * Without a selected option, Enter submits the form.
 */
export function useCombobox({ keys, onPick }: ComboboxOptions) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const at = chosen === undefined ? -1 : keys.indexOf(chosen)
  const optionId = (index: number) => `${id}-${index}`

  function choose(index: number): void {
    setChosen(keys[index])
    document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest' })
  }

  function open(): void {
    setOpen(true)
    setChosen(undefined)
  }

  function close(): void {
    setOpen(false)
    setChosen(undefined)
  }

  function pick(index: number): void {
    const key = keys[index]
    close()
    if (key !== undefined) onPick(key)
  }

  function onArrow(step: 1 | -1): void {
    if (!isOpen) open()
    else if (keys.length > 0) {
      const from = at < 0 && step < 0 ? 0 : at
      choose((from + step + keys.length) % keys.length)
    }
  }

  /** Returns the action of a key; undefined for the default behavior. */
  function actionFor(key: string): (() => void) | undefined {
    if (key === 'ArrowDown') return () => onArrow(1)
    if (key === 'ArrowUp') return () => onArrow(-1)
    if (!isOpen) return undefined
    if (key === 'Escape') return close
    if (at < 0) return undefined
    if (key === 'Home') return () => choose(0)
    if (key === 'End') return () => choose(keys.length - 1)
    return key === 'Enter' ? () => pick(at) : undefined
  }

  return {
    isOpen,
    open,
    close,
    /** Props of the element around field and list. Moving focus out of it closes the list. */
    container: {
      onBlur(event: FocusEvent<HTMLElement>) {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      },
    },
    field: {
      role: 'combobox',
      autoComplete: 'off',
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen && keys.length > 0,
      'aria-controls': `${id}-list`,
      'aria-activedescendant': isOpen && at >= 0 ? optionId(at) : undefined,
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        // Input methods use these keys to choose characters.
        if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
        const action = actionFor(event.key)
        if (action === undefined) return
        event.preventDefault()
        action()
      },
    },
    list: {
      id: `${id}-list`,
      role: 'listbox',
      // Keeps the focus in the field.
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
    },
    option: (index: number) => ({
      id: optionId(index),
      role: 'option',
      'aria-selected': index === at,
      onClick: () => pick(index),
    }),
  } as const
}

export type Combobox = ReturnType<typeof useCombobox>
