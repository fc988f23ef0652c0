/** Text that is HTML already, made by `html` alone. */
export type Html = { readonly html: string }

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** Writes HTML: everything that is put in is escaped, unless it is HTML already; nothing is left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + written(parts[index])).join('') }
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(written).join('')
  return String(part).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
