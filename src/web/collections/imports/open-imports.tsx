import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { api } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { count, dateTimeText } from '../../format.ts'
import { apiQuery, refetchAfterChange } from '../../query-client.ts'
import { hidden } from '../../texts/rich-text.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { importUrl } from './import-queries.ts'
import { fileText, sumTotals } from './import-text.ts'

/** Drafts that an account can have, as in the guide (docs/guides/collections/collections.md). */
const DRAFTS_MAX = 3

/** Fetches the drafts of the account, and its imports that were interrupted. Another tab may have added some. */
export function useOpenImports() {
  return useQuery({ ...apiQuery('/v1/imports'), refetchOnMount: 'always' })
}

/** Lists the open imports of the account, so that each can be continued or discarded; nothing without any. */
export function OpenImports({ query }: { query: ReturnType<typeof useOpenImports> }) {
  const [discarded, setDiscarded] = useState<CollectionImport>()
  const [news, setNews] = useState<{ text: string }>()
  const status = useRef<HTMLParagraphElement>(null)
  const open = query.data?.data ?? []

  async function discard(found: CollectionImport): Promise<void> {
    const text = await discardDraft(found)
    refetchAfterChange('/v1/imports')
    setDiscarded(undefined)
    setNews({ text })
  }

  // The button that opened the dialog is gone.
  useEffect(() => {
    if (news !== undefined) status.current?.focus()
  }, [news])

  return (
    <>
      <QueryError query={query} />
      <p ref={status} className="status-line" role="status" tabIndex={-1}>
        {news?.text}
      </p>
      {open.length > 0 && (
        <section className="panel stack tight open-imports" aria-labelledby="open-imports">
          <h2 id="open-imports">{texts.openImports}</h2>
          <ul className="stack tight">
            {open.map((found) => (
              <OpenImport key={found.id} found={found} onDiscard={() => setDiscarded(found)} />
            ))}
          </ul>
          {open.length >= DRAFTS_MAX && <p className="small soft">{texts.accountIsFull}</p>}
        </section>
      )}
      {discarded !== undefined && (
        <DiscardDialog
          file={fileText(discarded)}
          discard={() => discard(discarded)}
          onClose={() => setDiscarded(undefined)}
        />
      )}
    </>
  )
}

/** Discards a draft as it is shown, never one that another tab has changed or imported. @returns what has happened */
async function discardDraft({ id, revision, ...found }: CollectionImport): Promise<string> {
  try {
    await api.delete('/v1/imports/{id}', { path: { id }, query: { revision } })
    return texts.isDiscarded(fileText(found))
  } catch (cause) {
    const error = toApiError(cause)
    if (error.code !== 'REVISION_CONFLICT' && error.status !== 404) throw error
    return texts.changedInAnotherTab(fileText(found))
  }
}

type OpenImportProps = { found: CollectionImport; onDiscard: () => void }

function OpenImport({ found, onDiscard }: OpenImportProps) {
  const { id, state, collection_name, rows, expires_at } = found
  const file = fileText(found)
  return (
    <li className="open-import">
      <div>
        <strong>{file}</strong>
        <p className="small soft">
          {[
            texts.toCollection(collection_name),
            texts.rowsWithProgress({ rows, progress: progressText(found) }),
            expires_at && texts.keptUntil(dateTimeText(expires_at)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div className="row">
        <Link className="button main" href={importUrl(id)}>
          {texts.continueFile({ file, hidden })}
        </Link>
        {state === 'draft' && (
          <Button onClick={onDiscard}>{texts.discardFile({ file, hidden })}</Button>
        )}
      </div>
    </li>
  )
}

function progressText(found: CollectionImport): string {
  const { accepted, open } = sumTotals(found)
  if (found.state !== 'draft')
    return texts.ofImported({
      imported: count(found.imported + found.unowned),
      accepted: count(accepted),
    })
  return open > 0 ? texts.notDecided(count(open)) : texts.acceptedToImport(count(accepted))
}

/** Leads from the dialog of an import to the open ones, and says which one a further import replaces. */
export function OpenImportsHint() {
  const open = useOpenImports().data?.data ?? []
  const last = open.at(-1)
  if (last === undefined) return null
  const imports = { open: open.length, link: collectionsLink }
  if (open.length < DRAFTS_MAX) return <p className="small soft">{texts.youHaveImports(imports)}</p>
  return (
    <p className="note wait">
      <span>{texts.youHaveAsMany({ ...imports, file: fileText(last) })}</span>
    </p>
  )
}

const collectionsLink = (words: string) => <Link href="/collection">{words}</Link>
