import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { Me } from '#client/endpoints.ts'
import { type ApiError, api } from './api.ts'
import { clearQueryCache, toApiError } from './hooks/use-query.ts'

/** Who is logged in: undefined while nobody knows yet, null where nobody is. */
type SessionState = {
  me: Me | null | undefined
  /** Why it could not be asked; who is there may be logged in all the same. */
  error: ApiError | undefined
  refresh(): Promise<void>
  logOut(from?: 'here' | 'everywhere'): Promise<void>
}

const SessionContext = createContext<SessionState>({
  me: undefined,
  error: undefined,
  refresh: async () => {},
  logOut: async () => {},
})

/** Keeps who is logged in for every view below it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [{ me, error }, setKnown] = useState<LoadedSession>(LOADING)
  const refresh = useCallback(async () => {
    clearQueryCache()
    setKnown(await loadSession())
  }, [])
  const leave = useCallback(
    async (from: 'here' | 'everywhere' = 'here') => {
      const all = from === 'everywhere' ? 'true' : undefined
      await api.post('/v1/auth/logout', { query: { all } })
      loginHint.forget()
      await refresh()
    },
    [refresh],
  )
  useEffect(() => {
    void refresh()
    // Who logs in in another tab is logged in here; who logs out there keeps what is typed here.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === LOGGED_IN_KEY && newValue !== null) void refresh()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [refresh])
  return <SessionContext value={{ me, error, refresh, logOut: leave }}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}

/**
 * The cookie itself no script can read. That somebody has logged in here is remembered beside it, so
 * that visitors are not asked who they are.
 */
const LOGGED_IN_KEY = 'cardstock.entered'

/** Where a browser keeps nothing for pages it keeps no session either, and storage throws. */
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

/** To be called before `refresh`, when somebody has just logged in. */
export function rememberLogin(): void {
  try {
    localStorage.setItem(LOGGED_IN_KEY, 'yes')
  } catch {}
}

type LoadedSession = Pick<SessionState, 'me' | 'error'>

const LOADING: LoadedSession = { me: undefined, error: undefined }

/** Whoever cannot be asked for is nobody: the pages that are open to all stay usable. */
async function loadSession(): Promise<LoadedSession> {
  if (!loginHint.isKnown()) return { me: null, error: undefined }
  try {
    return { me: (await api.get('/v1/auth/me')).data, error: undefined }
  } catch (error) {
    const fault = toApiError(error)
    if (fault.status !== 401) return { me: null, error: fault }
    loginHint.forget()
    return { me: null, error: undefined }
  }
}
