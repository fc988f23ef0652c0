import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { dateTimeText } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { collectionUrl } from '../queries.ts'
import { DiscardDialog } from './discard-dialog.tsx'
import { DraftView } from './draft.tsx'
import { useImport } from './import-queries.ts'
import { ImportResult } from './import-result.tsx'
import { fileText } from './import-text.ts'
import { ProgressPanel } from './progress-panel.tsx'
import { type DraftConflict, useDraftChanges } from './use-draft-changes.ts'

const CRUMBS = [{ href: '/collection', name: texts.collections }]

/** Shows an import: its draft, its progress, and its result with the undo. */
export function ImportPage({ id }: { id: string }) {
  const result = useImport(id)
  const changes = useDraftChanges(id)
  const start = useAction(changes.start)
  const [, go] = useLocation()
  const [isDiscarding, setDiscarding] = useState(false)
  const found = result.data?.data
  useNewState(found?.state)
  if (result.error?.status === 404) return <Ended />
  if (found === undefined) {
    return (
      <Page title={texts.importLabel} crumbs={CRUMBS}>
        {result.isError ? <QueryError query={result} /> : <LineSkeleton count={10} />}
      </Page>
    )
  }
  const { collection_id, collection_name, state, rows, expires_at } = found
  const isDraft = state === 'draft'
  const file = fileText(found)
  return (
    <Page
      title={texts.importTo(collection_name)}
      crumbs={[...CRUMBS, { href: collectionUrl(collection_id), name: collection_name }]}
      lead={
        isDraft && expires_at !== null
          ? texts.draftExplained({
              file,
              rows,
              collectionName: collection_name,
              expiresAt: dateTimeText(expires_at),
            })
          : texts.fileWithRows({ file, rows })
      }
      aside={isDraft && <Button onClick={() => setDiscarding(true)}>{texts.discard}</Button>}
    >
      <div className="stack import-page">
        {changes.conflict !== undefined && (
          <Conflict
            conflict={changes.conflict}
            isDraft={isDraft}
            onDismiss={changes.dismiss}
            onSave={() => void changes.save()}
          />
        )}
        {isDraft && <DraftView found={found} changes={changes} start={start} />}
        {state === 'importing' && (
          <ProgressPanel found={found} start={start} remove={changes.remove} />
        )}
        {state !== 'draft' && state !== 'importing' && (
          <ImportResult found={found} remove={changes.remove} />
        )}
      </div>
      {isDraft && isDiscarding && (
        <DiscardDialog
          file={file}
          discard={async () => {
            if (await changes.remove()) go(collectionUrl(collection_id))
            else setDiscarding(false)
          }}
          onClose={() => setDiscarding(false)}
        />
      )}
    </Page>
  )
}

/** Moves the focus to the heading when the import has another state, because the button that caused it is gone. */
function useNewState(state: CollectionImport['state'] | undefined): void {
  const shown = useRef(state)
  useEffect(() => {
    if (shown.current !== undefined && state !== undefined && shown.current !== state) {
      scrollTo({ top: 0 })
      document.querySelector('h1')?.focus({ preventScroll: true })
    }
    shown.current = state
  }, [state])
}

type ConflictProps = {
  conflict: DraftConflict
  isDraft: boolean
  onDismiss: () => void
  onSave: () => void
}

/** Says what another tab has changed, and offers to save what this one could not. It has the focus until then. */
function Conflict({ conflict: { news, unsaved }, isDraft, onDismiss, onSave }: ConflictProps) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    section.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const isUnsaved = isDraft && unsaved.length > 0
  return (
    <section ref={section} className="note wait" aria-labelledby="changed-elsewhere" tabIndex={-1}>
      <h2 id="changed-elsewhere">{texts.importChangedElsewhere}</h2>
      {news.length > 0 && (
        <ul>
          {news.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <p>
        {!isDraft
          ? texts.rowsAreDecided
          : isUnsaved
            ? texts.changedAndNotSaved
            : texts.changedAndShown}
      </p>
      <div className="row">
        {isUnsaved && <Button onClick={onSave}>{texts.saveMyChange}</Button>}
        <Button onClick={onDismiss}>{isUnsaved ? texts.discardMyChange : texts.ok}</Button>
      </div>
    </section>
  )
}

function Ended() {
  return (
    <Page title={texts.importNotFound} crumbs={CRUMBS}>
      <Note tone="bad" title={texts.importHasEnded} text={texts.importHasEndedExplained}>
        <Link className="button main" href="/collection">
          {texts.openCollections}
        </Link>
      </Note>
    </Page>
  )
}
