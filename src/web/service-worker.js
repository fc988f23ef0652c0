// Keeps the files of the pages, whose names change with their content, and one page for when there is no
// connection. Everything else comes from the server: prices that are out of date are never shown as current.
// The server puts the names before this text: CACHE, FILES, ASSETS and OFFLINE (src/http/pages/offline.ts).

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...FILES])))
})

// Starts when the last page of the version before is closed, so that its files stay until then.
addEventListener('activate', (event) => {
  event.waitUntil(deleteOtherCaches())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(navigate(request))
  else if (url.pathname.startsWith(ASSETS)) event.respondWith(load(request))
})

// A price alert. Repeats of a message have its id, and replace it.
addEventListener('push', (event) => {
  const { id, title, body, url, unsubscribe } = event.data.json()
  const actions = [{ action: 'unsubscribe', title: 'Turn off' }]
  const options = {
    body,
    tag: id,
    icon: '/icons/icon-192.png',
    data: { url, unsubscribe },
    actions,
  }
  event.waitUntil(registration.showNotification(title, options))
})

addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  const { url, unsubscribe } = notification.data
  notification.close()
  event.waitUntil(
    action === 'unsubscribe'
      ? fetch(`/v1${new URL(unsubscribe).pathname}`, { method: 'POST' })
      : clients.openWindow(url),
  )
})

async function deleteOtherCaches() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
}

async function navigate(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const page = await caches.match(OFFLINE)
    if (page === undefined) throw error
    return page
  }
}

async function load(request) {
  const cache = await caches.open(CACHE)
  const known = await cache.match(request)
  if (known !== undefined) return known
  const response = await fetch(request)
  // A full disk costs the copy, not the page.
  if (response.ok) cache.put(request, response.clone()).catch(() => {})
  return response
}
