/** Safe HTML; only `html` creates it. */
export type Html = { readonly html: string }

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** Builds HTML. Escapes every value that is not HTML, and omits null, undefined and false. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + renderPart(parts[index])).join('') }
}

function renderPart(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(renderPart).join('')
  return String(part).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
