// Applies what the browser has stored before the first paint, the theme and a login: a script in the head, because the
// content security policy allows no inline scripts.
{
  const root = document.documentElement

  function read(key) {
    try {
      return localStorage.getItem(key)
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

  function applyStored() {
    applyTheme(read('cardstock.theme'))
    // The pages that the server renders are the same for everybody: their links to an account are hidden without it.
    root.toggleAttribute('data-account', read('cardstock.entered') !== null)
  }

  applyStored()
  addEventListener('cardstock.theme', ({ detail }) => applyTheme(detail))
  // Another tab has changed it, or the browser shows the page again as it was left.
  addEventListener('storage', applyStored)
  addEventListener('pageshow', applyStored)
}
