// Applies the stored theme before the first paint: a script in the head, because the content security policy
// allows no inline scripts.
{
  const root = document.documentElement

  function readTheme() {
    try {
      return localStorage.getItem('cardstock.theme')
    } catch {
      return null
    }
  }

  /** Without `data-theme` the browser decides. */
  function applyTheme(theme) {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
    const forced = root.dataset.theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
      const { scheme } = meta.dataset
      if (forced === undefined) meta.media = `(prefers-color-scheme: ${scheme})`
      else meta.media = forced === scheme ? 'all' : 'not all'
    }
  }

  applyTheme(readTheme())
  addEventListener('cardstock.theme', ({ detail }) => applyTheme(detail))
  // Another tab has changed it.
  addEventListener('storage', () => applyTheme(readTheme()))
}
