// Script of the pages that the server renders: theme, copy buttons and the offline page.
import * as texts from '#texts/document.ts'
import { getTheme, onThemeChange, setTheme } from './theme.ts'

const icon = (paths: string) =>
  `<svg class="icon" aria-hidden="true" viewBox="0 0 24 24">${paths}</svg>`
const COPY_ICON = icon(
  '<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2"/>',
)
const DONE_ICON = icon('<path d="M5 12.5l4.5 4.5L19 7.5"/>')

followTheme(document.querySelector('.theme-select select'))
for (const block of document.querySelectorAll('.guide pre')) addCopyButton(block)
if (document.querySelector('[data-offline]') !== null) returnWhenOnline()

function followTheme(select: HTMLSelectElement | null): void {
  if (select === null) return
  const show = () => {
    select.value = getTheme()
  }
  show()
  onThemeChange(show)
  select.addEventListener('change', () => setTheme(select.value))
}

/** Browsers have no clipboard API over plain HTTP: there the text is selected instead. */
function addCopyButton(block: Element): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button copy-code'
  button.innerHTML = COPY_ICON
  button.ariaLabel = button.title = texts.copy
  const status = document.createElement('span')
  status.className = 'visually-hidden'
  status.role = 'status'
  button.addEventListener('click', async () => {
    const text = (block.textContent ?? '').replace(/\n$/, '')
    const isCopied = await copyText(text)
    if (!isCopied) getSelection()?.selectAllChildren(block)
    status.textContent = isCopied ? texts.copied : texts.selected
    button.innerHTML = isCopied ? DONE_ICON : COPY_ICON
    setTimeout(() => {
      button.innerHTML = COPY_ICON
      status.textContent = ''
    }, 2_000)
  })
  const frame = document.createElement('div')
  frame.className = 'code-block'
  block.replaceWith(frame)
  frame.append(block, button, status)
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Reloads the page when possible: the offline page is shown at the URL of the requested page. */
function returnWhenOnline(): void {
  addEventListener('online', () => location.reload())
  // There may be a connection, but no server: it may be starting.
  setInterval(() => navigator.onLine && location.reload(), 5_000)
  document.querySelector('[data-offline]')?.addEventListener('click', () => location.reload())
}
