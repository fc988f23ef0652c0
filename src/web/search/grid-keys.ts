import type { KeyboardEvent } from 'react'

/**
 * Moves the focus among tiles with the arrow keys, Home and End.
 *
 * @param leave called on Escape and on ArrowUp in the first row
 */
export function moveTileFocus(event: KeyboardEvent<HTMLElement>, leave: () => void): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const list = event.currentTarget
  const links = [...list.querySelectorAll<HTMLAnchorElement>('.tile a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  if (at < 0) return
  const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length
  const to = {
    ArrowLeft: Math.max(0, at - 1),
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: links.length - 1,
    Escape: -1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  if (to < 0) leave()
  else focusTile(links[Math.min(to, links.length - 1)])
}

/** Scrolls the whole tile into view, not only its link. */
export function focusTile(link: HTMLAnchorElement | null | undefined): void {
  link?.focus({ preventScroll: true })
  link?.closest('.tile')?.scrollIntoView({ block: 'nearest' })
}
