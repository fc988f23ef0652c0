// Creates an API key for the API reference. The server stores only hashes of keys, so no page can show an earlier one.

const NAME = 'API reference'

/**
 * Lets the button of the page create a key, which replaces the one that it created before.
 *
 * @param {(key: string) => void} onCreate
 */
export function offerKey(onCreate) {
  const button = document.querySelector('#api-key')
  const status = document.querySelector('#api-key-status')
  button?.addEventListener('click', async () => {
    button.disabled = true
    try {
      onCreate(await replaceKey())
      status.textContent =
        'The requests and the samples of this page have the key until you reload it. Your account lists it under Keys.'
    } catch (error) {
      status.textContent = error.message
    }
    button.disabled = false
  })
}

async function replaceKey() {
  // Before the creation: an account may have as many keys as it can, and a failure after it would lose the key.
  for (const { id, name, is_active } of await request('GET', '/v1/keys')) {
    if (is_active && name === NAME) await request('DELETE', `/v1/keys/${id}`)
  }
  return (await request('POST', '/v1/keys', { name: NAME })).key
}

async function request(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer.data
}
