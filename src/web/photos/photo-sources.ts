import { useEffect, useEffectEvent, useState } from 'react'

type OnFiles = (files: readonly File[]) => void

/**
 * Accepts files that are dropped or pasted anywhere on the page.
 *
 * @returns true while files are dragged over the page
 */
export function usePhotoSources(onFiles: OnFiles): boolean {
  const [isOver, setOver] = useState(false)
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  })
  const onLeave = useEffectEvent((event: DragEvent) => {
    // Also fires between two elements; then relatedTarget is set.
    if (event.relatedTarget === null) setOver(false)
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    setOver(false)
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    onFiles([...event.dataTransfer.files])
  })
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || isText(event)) return
    event.preventDefault()
    onFiles(files)
  })

  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    window.addEventListener('dragenter', (event) => onDrag(event), { signal })
    window.addEventListener('dragover', (event) => onDrag(event), { signal })
    window.addEventListener('dragleave', (event) => onLeave(event), { signal })
    window.addEventListener('drop', (event) => onDrop(event), { signal })
    window.addEventListener('paste', (event) => onPaste(event), { signal })
    return () => ending.abort()
  }, [])
  return isOver
}

/** Returns true for text pasted into a field: word processors add an image of the text. */
function isText({ target, clipboardData }: ClipboardEvent): boolean {
  const isField = target instanceof Element && target.closest('input, textarea') !== null
  return isField && clipboardData?.types.includes('text/plain') === true
}
