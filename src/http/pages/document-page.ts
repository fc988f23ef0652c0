import { type DocsFilePath, docsFileUrl } from './docs-files.ts'
import { type Html, html } from './html.ts'
import { insertHead } from './page-head.ts'
import { loadWebFiles } from './web-files.ts'

/** A page that the server renders, without its frame. */
export type DocumentPage = {
  title: string
  main: Html
  /** Current link in the header. */
  here?: '/docs' | '/guides'
  /** True for pages that search engines must not list. */
  isHidden?: boolean
  /** Additional files. */
  styles?: readonly DocsFilePath[]
  scripts?: readonly DocsFilePath[]
  modules?: readonly DocsFilePath[]
}

/** Renders a page in the frame of `src/web/document.html`: header, navigation and footer of the dashboard. */
export async function renderDocument(page: DocumentPage): Promise<string> {
  const { title, main, here, isHidden = false, styles = [], scripts = [], modules = [] } = page
  const more = [
    ...(isHidden ? [html`<meta name="robots" content="noindex, nofollow">\n`] : []),
    ...styles.map((path) => html`<link rel="stylesheet" href="${docsFileUrl(path)}">\n`),
    ...scripts.map((path) => html`<script src="${docsFileUrl(path)}" defer></script>\n`),
    ...modules.map((path) => html`<script type="module" src="${docsFileUrl(path)}"></script>\n`),
  ]
  const { frame } = await loadWebFiles()
  const framed = insertHead(frame, { title, more }).replace(
    MAIN,
    () => `${MAIN.replace('</main>', '')}\n${main.html}\n</main>`,
  )
  return here === undefined
    ? framed
    : framed.replace(`<a href="${here}">`, `<a href="${here}" aria-current="page">`)
}

const MAIN = '<main id="page" class="page"></main>'
