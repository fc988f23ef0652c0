import { type KeyboardEvent, useId, useRef } from 'react'
import * as texts from '#texts/components/controls.ts'
import { Button } from './button.tsx'

/** Action of a menu. */
export type MenuItem = { name: string; isDanger?: boolean; onPick: () => void }

type MenuProps = {
  /** Accessible name of the button. */
  label: string
  items: readonly MenuItem[]
  disabled?: boolean
}

/**
 * Button with a menu of actions that are rare or destructive, after the WAI-ARIA pattern: arrows move, Escape and Tab
 * close it. The browser's popover lies above frames that scroll, and closes on a click elsewhere.
 */
export function Menu({ label, items, disabled = false }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const close = () => list.current?.hidePopover()

  function onKeyDown(event: KeyboardEvent): void {
    const options = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = options.indexOf(event.target as HTMLButtonElement)
    const next = nextOption(event.key, at, options.length)
    if (next !== undefined) {
      event.preventDefault()
      options[next]?.focus()
    } else if (event.key === 'Tab') close()
  }

  return (
    <>
      <Button
        ref={button}
        className="icon-button quiet"
        aria-label={label}
        aria-haspopup="menu"
        title={texts.more}
        popoverTarget={id}
        disabled={disabled}
      >
        <span aria-hidden="true">⋯</span>
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="popup menu"
        onKeyDown={onKeyDown}
        onBeforeToggle={({ newState, currentTarget }) => {
          if (newState === 'open' && button.current !== null) place(currentTarget, button.current)
        }}
        onToggle={({ newState, currentTarget }) => {
          if (newState !== 'open') return
          currentTarget.querySelector('button')?.focus({ preventScroll: true })
          // It is placed once: a page that scrolls would leave it behind.
          addEventListener('scroll', close, { once: true, capture: true })
        }}
      >
        {items.map(({ name, isDanger = false, onPick }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={isDanger ? 'menu-item danger' : 'menu-item'}
            onClick={() => {
              close()
              onPick()
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  )
}

/** Returns the option to which a key moves; undefined for other keys. */
function nextOption(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

/** Places a menu at its button: below it if there is room, and towards the middle of the window. */
function place({ style }: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const isLow = bottom > innerHeight * 0.7
  const isRight = left > innerWidth / 2
  const px = (length: number) => `${Math.max(0, Math.round(length))}px`
  style.top = isLow ? 'auto' : px(bottom)
  style.bottom = isLow ? px(innerHeight - top) : 'auto'
  style.left = isRight ? 'auto' : px(left)
  style.right = isRight ? px(document.documentElement.clientWidth - right) : 'auto'
}
