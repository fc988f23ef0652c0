import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { CurrentAccount } from '#client/endpoints.ts'
import { type ApiError, api } from './api.ts'
import { toApiError } from './api-error.ts'
import { clearQueryCache } from './hooks/use-query.ts'

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

const SessionContext = createContext<SessionState>({
  me: undefined,
  error: undefined,
  refresh: async () => {},
  logOut: async () => {},
  leave: async () => {},
})

export function SessionProvider({ children }: { children: ReactNode }) {
  const [{ me, error }, setKnown] = useState<LoadedSession>(LOADING)
  const refresh = useCallback(async () => {
    clearQueryCache()
    setKnown(await loadSession())
  }, [])
  const leave = useCallback(async () => {
    loginHint.forget()
    await refresh()
  }, [refresh])
  const logOut = useCallback(
    async (from: 'here' | 'everywhere' = 'here') => {
      const all = from === 'everywhere' ? 'true' : undefined
      await api.post('/v1/auth/logout', { query: { all } })
      await leave()
    },
    [leave],
  )
  useEffect(() => {
    void refresh()
    // Follow a login in another tab. A logout there keeps the input here.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === LOGGED_IN_KEY && newValue !== null) void refresh()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [refresh])
  return <SessionContext value={{ me, error, refresh, logOut, leave }}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}

/** Local storage key that records a login: scripts cannot read the cookie, and visitors need no request. */
const LOGGED_IN_KEY = 'cardstock.entered'

/** Storage throws in browsers that block it; those keep no session either. */
const loginHint = {
  isKnown(): boolean {
    try {
      return localStorage.getItem(LOGGED_IN_KEY) !== null
    } catch {
      return false
    }
  },
  forget(): void {
    try {
      localStorage.removeItem(LOGGED_IN_KEY)
    } catch {}
  },
}

/** Returns true for an account, and until the session is loaded also if somebody was logged in before. */
export function useHasAccount(): boolean {
  const { me } = useSession()
  return me === undefined ? loginHint.isKnown() : me !== null
}

/** Records a login. Call it before `refresh`. */
export function rememberLogin(): void {
  try {
    localStorage.setItem(LOGGED_IN_KEY, 'yes')
  } catch {}
}

type LoadedSession = Pick<SessionState, 'me' | 'error'>

const LOADING: LoadedSession = { me: undefined, error: undefined }

/** Treats an unreachable session as logged out: public pages stay usable. */
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
