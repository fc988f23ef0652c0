import { createHash } from 'node:crypto'
import workerScript from '../../web/service-worker.js' with { type: 'text' }
import { renderDocument } from './document-page.ts'
import { html } from './html.ts'
import { ASSETS, listAssets, loadWebFiles } from './web-files.ts'

export const OFFLINE_PATH = '/offline'

/** Renders the page that browsers show without a connection. */
export function renderOfflinePage(): Promise<string> {
  return renderDocument({
    title: 'You are offline',
    isHidden: true,
    main: html`<div class="column"><section class="panel">
<h1>You are offline</h1>
<p>Cardstock shows only current prices, so it needs a connection. This page reloads by itself when you are online.</p>
<p><button type="button" class="button main" data-offline>Try again</button></p>
</section></div>`,
  })
}

/** Renders the service worker. It changes with every file that it keeps, so that browsers replace it. */
export async function renderServiceWorker(): Promise<string> {
  const { app, frame } = await loadWebFiles()
  const files = [...new Set([app, frame].flatMap(listAssets))]
  const offlinePage = await renderOfflinePage()
  const content = JSON.stringify([files, offlinePage, workerScript])
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return `const CACHE = 'cardstock-${version}'
const FILES = ${JSON.stringify(files)}
const ASSETS = '${ASSETS}'
const OFFLINE = '${OFFLINE_PATH}'
${workerScript}`
}
