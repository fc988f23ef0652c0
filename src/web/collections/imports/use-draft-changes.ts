import { useRef, useState } from 'react'
import type { ApiRequest } from '#client/client.ts'
import { type ApiError, api } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { forgetAnswers } from '../../query-client.ts'
import { describeNews } from './import-news.ts'
import { readKnownImport, reloadImport, showImport } from './import-queries.ts'

type Body = ApiRequest<'PATCH', '/v1/imports/{id}'>['body']

/** Decisions about rows, or about all rows of a kind. */
export type DraftChange = Pick<Body, 'rows' | 'kinds'>

/** Changes of another tab, and the changes of this one that were not saved because of them. */
export type DraftConflict = { news: string[]; unsaved: DraftChange[] }

/**
 * Sends the changes of a draft one after another, each with the revision that the one before has left. If another tab
 * has changed the draft, fetches it again and keeps the changes that were not saved.
 */
export function useDraftChanges(id: string) {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  /** Grows with each conflict: changes that were decided before it are not sent. */
  const round = useRef(0)
  /** An answer got lost, and the import could not be fetched since: it may have another revision than the known one. */
  const isUnknown = useRef(false)
  const [conflict, setConflict] = useState<DraftConflict>()
  const path = { id }

  function keep(change: DraftChange | undefined, news: string[] = []): void {
    setConflict((before) => ({
      news: [...new Set([...(before?.news ?? []), ...news])],
      unsaved: [...(before?.unsaved ?? []), ...(change === undefined ? [] : [change])],
    }))
  }

  /** Fetches the import again after a refusal. */
  async function recover(error: ApiError, change?: DraftChange): Promise<void> {
    const before = readKnownImport(id)
    isUnknown.current = !(await reloadImport())
    if (error.code !== 'REVISION_CONFLICT') throw error
    round.current++
    keep(change, describeNews(before, readKnownImport(id)))
  }

  /** Runs a request after those before it, with the current revision. */
  function enqueue(send: (revision: number) => Promise<void>, change?: DraftChange): Promise<void> {
    const begun = round.current
    const sent = last.current.then(async () => {
      if (isUnknown.current) isUnknown.current = !(await reloadImport())
      const revision = readKnownImport(id).newest?.revision ?? 0
      if (begun !== round.current) keep(change)
      else await send(revision).catch((cause) => recover(toApiError(cause), change))
    })
    last.current = sent.catch(() => {})
    return sent
  }

  const change = (changed: DraftChange) =>
    enqueue(async (revision) => {
      const { data } = await api.patch('/v1/imports/{id}', {
        path,
        body: { ...changed, revision },
      })
      showImport(data)
      if (changed.kinds !== undefined) await reloadImport()
    }, changed)

  return {
    conflict,
    change,
    /** Imports the accepted rows, or continues to. */
    start: () =>
      enqueue(async (revision) => {
        const { newest } = readKnownImport(id)
        // From now on, the page follows the progress.
        if (newest !== undefined) showImport({ ...newest, entries: [], state: 'importing' })
        const { data } = await api.post('/v1/imports/{id}/import', {
          path,
          body: { revision },
        })
        forgetAnswers()
        showImport(data)
      }),
    /** Discards the draft, or undoes the import. @returns false if another tab has changed it */
    async remove(): Promise<boolean> {
      let isDone = false
      await enqueue(async (revision) => {
        const { data } = await api.delete('/v1/imports/{id}', { path, query: { revision } })
        forgetAnswers()
        showImport(data)
        isDone = true
      })
      return isDone
    },
    dismiss: () => setConflict(undefined),
    /** Sends the changes that were not saved. */
    async save(): Promise<void> {
      const unsaved = conflict?.unsaved ?? []
      setConflict(undefined)
      for (const one of unsaved) await change(one)
    },
  }
}

export type DraftChanges = ReturnType<typeof useDraftChanges>
