/** A link of a mail, with its text. */
export type MailLink = { label: string; url: string }

/** Content of a mail: paragraphs and links in order, and a footer in small type. */
export type MailContent = {
  parts: readonly (string | MailLink)[]
  footer?: readonly (string | MailLink)[]
}

/** Content of a mail in both of its forms. */
export type MailBody = { text: string; html: string }

/** Renders the content as plain text, and as HTML without images and styles from other hosts. */
export function renderMailBody({ parts, footer = [] }: MailContent): MailBody {
  const isFooted = footer.length > 0
  const lines = [...parts.map(renderText), ...(isFooted ? ['-- ', ...footer.map(renderText)] : [])]
  const small = isFooted ? `<hr><div style="${SMALL}">${footer.map(renderHtml).join('')}</div>` : ''
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><meta charset="utf-8"><body style="${STYLE}">${parts.map(renderHtml).join('')}${small}</body>`,
  }
}

function renderText(part: string | MailLink): string {
  return typeof part === 'string' ? part : `${part.label}:\n${part.url}`
}

function renderHtml(part: string | MailLink): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  return `<p><a href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = 'font:16px/1.5 system-ui,sans-serif;max-width:36em'
const SMALL = 'font-size:13px;opacity:.75'
