import { type RefObject, useEffect, useState } from 'react'
import { createPictureQueue, type PictureResponse } from './picture-queue.ts'

/** Picture of an element: the URL of its bytes in this page once it is `ready`. */
export type ShownPicture =
  | { state: 'loading' | 'pending' | 'missing' }
  | { state: 'ready'; url: string }

/**
 * Loads a picture while its element is near the viewport.
 *
 * @param path path on this server; undefined for no picture
 */
export function usePicture(
  path: string | undefined,
  element: RefObject<Element | null>,
): ShownPicture {
  const [shown, setShown] = useState<{ path: string; picture: ShownPicture }>()

  useEffect(() => {
    if (path === undefined || element.current === null) return
    let cancel: (() => void) | undefined
    let url: string | undefined
    const unwatch = watch(element.current, (isNear) => {
      cancel?.()
      cancel = isNear ? pictures.load(path, show) : undefined
    })

    function show(response: PictureResponse): void {
      if (path === undefined) return
      if (response.state !== 'pending') unwatch()
      if (response.state === 'ready') {
        url = URL.createObjectURL(response.picture)
        setShown({ path, picture: { state: 'ready', url } })
      } else setShown({ path, picture: { state: response.state } })
    }

    return () => {
      unwatch()
      cancel?.()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [path, element])

  if (path === undefined) return { state: 'missing' }
  return shown?.path === path ? shown.picture : { state: 'loading' }
}

/** Queue of all pictures of the page. Typing has priority. */
const pictures = createPictureQueue(requestPicture)
document.addEventListener('input', pictures.postpone, { capture: true, passive: true })

/** @throws an error if the server cannot be reached */
async function requestPicture(url: string, signal: AbortSignal): Promise<PictureResponse> {
  const response = await fetch(url, {
    // The server responds with 202 immediately instead of waiting for the picture's source.
    headers: { Prefer: 'respond-async' },
    priority: 'low',
    signal,
  })
  if (response.status === 202) return { state: 'pending' }
  return response.ok ? { state: 'ready', picture: await response.blob() } : { state: 'missing' }
}

const watchers = new WeakMap<Element, (isNear: boolean) => void>()

/** Shared by all pictures: an observer for each would be slower. */
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) watchers.get(target)?.(isIntersecting)
  },
  // The next rows load before they are scrolled to.
  { rootMargin: '50% 0%' },
)

function watch(element: Element, onChange: (isNear: boolean) => void): () => void {
  watchers.set(element, onChange)
  observer.observe(element)
  return () => {
    observer.unobserve(element)
    watchers.delete(element)
  }
}
