import { useQuery } from '@tanstack/react-query'
import type { CurrentAccount } from '#client/endpoints.ts'
import { type ApiError, api } from './api.ts'
import { toApiError } from './api-error.ts'
import { forgetAnswers, queryClient, separateAnswers } from './query-client.ts'
import { readStored, writeStored } from './stored-text.ts'

/** Session state. `me` is undefined until loaded, null if logged out. */
type SessionState = {
  me: CurrentAccount | null | undefined
  /** Error of the last request. The user may still be logged in. */
  error: ApiError | undefined
  refresh(): Promise<void>
  logOut(from?: 'here' | 'everywhere'): Promise<void>
  /** Forgets a session that has ended on the server. */
  leave(): Promise<void>
}

export function useSession(): SessionState {
  const { data = LOADING } = useQuery(SESSION)
  return { ...data, refresh, logOut, leave }
}

async function refresh(): Promise<void> {
  forgetAnswers()
  await queryClient.refetchQueries(SESSION)
}

async function leave(): Promise<void> {
  loginHint.forget()
  await refresh()
}

async function logOut(from: 'here' | 'everywhere' = 'here'): Promise<void> {
  const all = from === 'everywhere' ? 'true' : undefined
  await api.post('/v1/auth/logout', { query: { all } })
  await leave()
}

// Follow a login in another tab. A logout in another tab keeps the input of this page.
addEventListener('storage', ({ key, newValue }: StorageEvent) => {
  if (key === LOGGED_IN_KEY && newValue !== null) void refresh()
})

/** Local storage key that records a login: scripts cannot read the cookie, and visitors need no request. */
const LOGGED_IN_KEY = 'cardstock.entered'

/** Browsers that block storage do not store the session cookie either. */
const loginHint = {
  isKnown: () => readStored(LOGGED_IN_KEY) !== null,
  forget: () => writeStored(LOGGED_IN_KEY, null),
}

/** Returns true for an account. Until the session is loaded, also returns true if somebody was logged in before. */
export function useHasAccount(): boolean {
  const { me } = useSession()
  return me === undefined ? loginHint.isKnown() : me !== null
}

/** Records a login. Call it before `refresh`. */
export function rememberLogin(): void {
  writeStored(LOGGED_IN_KEY, 'yes')
}

type LoadedSession = Pick<SessionState, 'me' | 'error'>

const LOADING: LoadedSession = { me: undefined, error: undefined }

/** All views share the session. It is refetched only when it may have changed. */
const SESSION = {
  queryKey: ['session'],
  queryFn: followSession,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
}

async function followSession(): Promise<LoadedSession> {
  const before = queryClient.getQueryData<LoadedSession>(SESSION.queryKey)
  const session = await loadSession()
  if (before !== undefined && before.me?.id !== session.me?.id) separateAnswers()
  return session
}

/** Treats a session that cannot be fetched as logged out, so that public pages stay usable. */
async function loadSession(): Promise<LoadedSession> {
  if (!loginHint.isKnown()) return { me: null, error: undefined }
  try {
    return { me: (await api.get('/v1/auth/me')).data, error: undefined }
  } catch (error) {
    const apiError = toApiError(error)
    if (apiError.status !== 401) return { me: null, error: apiError }
    loginHint.forget()
    return { me: null, error: undefined }
  }
}
