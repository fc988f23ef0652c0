/** Lets the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS)
}

/** Replaces the characters of a name that some file systems do not allow. */
export function fileNameOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'card'
}

/** Browsers start the download well within this time. */
const RELEASE_MS = 10_000
