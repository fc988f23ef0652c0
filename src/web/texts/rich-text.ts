import { createElement, Fragment, type ReactNode } from 'react'

/** Renders a part of a sentence as a link, in bold and the like. The page passes it, the text has the words. */
export type Markup = (words: string) => ReactNode

/** Renders words only for screen readers. */
export const hidden: Markup = (words) =>
  createElement('span', { className: 'visually-hidden' }, words)

/** Tags a text with markup or other rendered values, so that its sentence stays whole. */
export function rich(parts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...parts.flatMap((part, at) => [part, values[at]]))
}
