import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { Me } from '#client/endpoints.ts'
import { type ApiError, api } from './api.ts'
import { faultOf, forgetAnswers } from './hooks/use-query.ts'

/** Who is logged in: undefined while nobody knows yet, null where nobody is. */
type SessionState = {
  me: Me | null | undefined
  /** Why it could not be asked; who is there may be logged in all the same. */
  fault: ApiError | undefined
  refresh(): Promise<void>
  leave(from?: 'here' | 'everywhere'): Promise<void>
}

const SessionContext = createContext<SessionState>({
  me: undefined,
  fault: undefined,
  refresh: async () => {},
  leave: async () => {},
})

/** Keeps who is logged in for every view below it. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [{ me, fault }, setKnown] = useState<Known>(NOT_YET)
  const refresh = useCallback(async () => {
    forgetAnswers()
    setKnown(await whoIsIt())
  }, [])
  const leave = useCallback(
    async (from: 'here' | 'everywhere' = 'here') => {
      const all = from === 'everywhere' ? 'true' : undefined
      await api.post('/v1/auth/logout', { query: { all } })
      entry.forget()
      await refresh()
    },
    [refresh],
  )
  useEffect(() => {
    void refresh()
    // Who logs in in another tab is logged in here; who logs out there keeps what is typed here.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === ENTERED && newValue !== null) void refresh()
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [refresh])
  return <SessionContext value={{ me, fault, refresh, leave }}>{children}</SessionContext>
}

export function useSession(): SessionState {
  return useContext(SessionContext)
}

/**
 * The cookie itself no script can read. That somebody has logged in here is remembered beside it, so
 * that visitors are not asked who they are.
 */
const ENTERED = 'cardstock.entered'

/** Where a browser keeps nothing for pages it keeps no session either, and storage throws. */
const entry = {
  isKnown(): boolean {
    try {
      return localStorage.getItem(ENTERED) !== null
    } catch {
      return false
    }
  },
  forget(): void {
    try {
      localStorage.removeItem(ENTERED)
    } catch {}
  },
}

/** To be called before `refresh`, when somebody has just logged in. */
export function rememberEntry(): void {
  try {
    localStorage.setItem(ENTERED, 'yes')
  } catch {}
}

type Known = Pick<SessionState, 'me' | 'fault'>

const NOT_YET: Known = { me: undefined, fault: undefined }

/** Whoever cannot be asked for is nobody: the pages that are open to all stay usable. */
async function whoIsIt(): Promise<Known> {
  if (!entry.isKnown()) return { me: null, fault: undefined }
  try {
    return { me: (await api.get('/v1/auth/me')).data, fault: undefined }
  } catch (error) {
    const fault = faultOf(error)
    if (fault.status !== 401) return { me: null, fault }
    entry.forget()
    return { me: null, fault: undefined }
  }
}
