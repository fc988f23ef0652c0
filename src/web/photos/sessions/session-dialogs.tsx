import { useLocation } from 'wouter'
import type { ScanSessionTotals } from '#client/endpoints.ts'
import * as texts from '#texts/photos/scan-session.ts'
import { api } from '../../api.ts'
import { AddDialog } from '../../collections/add-dialog.tsx'
import { ExportDialog } from '../../collections/export-dialog.tsx'
import type { GameItems } from '../../collections/export-formats.ts'
import {
  type TargetCollection,
  TargetSelect,
  useTargets,
} from '../../collections/target-select.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { NameDialog } from '../../components/name-dialog.tsx'
import { submitTo, useAction } from '../../hooks/use-action.ts'
import { forgetAnswers } from '../../query-client.ts'
import type { InboxSession, ScanInbox } from './scan-inbox.ts'

/** Actions on a whole session, with their names. */
export const SESSION_ACTIONS = [
  ['export', texts.exportLabel],
  ['collect', texts.addToCollection],
  ['rename', texts.rename],
  ['delete', texts.deleteLabel],
] as const

export type SessionAction = (typeof SESSION_ACTIONS)[number][0]

type SessionDialogProps = {
  action: SessionAction | undefined
  session: ScanSessionTotals
  /** Numbers of reviewed items by game; undefined if they are not known. */
  games: readonly GameItems[] | undefined
  of: InboxSession
  inbox: ScanInbox | undefined
  onChanged: (text: string) => void
  onClose: () => void
}

/** Shows the dialog of an action on a whole session. */
export function SessionDialog({ action, ...props }: SessionDialogProps) {
  const { session, games, onClose } = props
  switch (action) {
    case 'export':
      return (
        <ExportDialog
          name={session.name}
          games={games}
          note={leftText(session)}
          load={(format) =>
            api.get('/v1/scan-sessions/{id}/export', {
              path: { id: session.id },
              query: { format },
            })
          }
          onClose={onClose}
        />
      )
    case 'collect':
      return <CollectDialog {...props} />
    case 'rename':
      return <RenameSessionDialog {...props} />
    case 'delete':
      return <DeleteSessionDialog {...props} />
    case undefined:
      return null
  }
}

type DialogProps = Omit<SessionDialogProps, 'action' | 'games'>

/** Warns that doubtful cards are not included; undefined without doubtful cards. */
function leftText({ open }: ScanSessionTotals): string | undefined {
  if (open === 0) return undefined
  return texts.notIncluded(open)
}

type CollectResult = { into: TargetCollection; added: number; skipped: number }

function CollectDialog({ session, onClose }: DialogProps) {
  return (
    <AddDialog<CollectResult>
      title={texts.addToACollection(session.name)}
      form={(form) => <CollectForm {...form} session={session} onClose={onClose} />}
      describe={({ into, added, skipped }) => (
        <>
          {texts.added({ number: added, collection: into.name })}
          {skipped > 0 && ` ${texts.addedBefore(skipped)}`}
        </>
      )}
      onClose={onClose}
    />
  )
}

type CollectFormProps = {
  session: ScanSessionTotals
  collections: readonly TargetCollection[]
  onAdded: (result: CollectResult) => void
  onClose: () => void
}

function CollectForm({ session, collections, onAdded, onClose }: CollectFormProps) {
  const { target: _, createTarget, ...targets } = useTargets(collections)
  const left = leftText(session)
  const add = useAction(async () => {
    const into = await createTarget()
    const { data } = await api.post('/v1/scan-sessions/{id}/collect', {
      path: { id: session.id },
      body: { collection_id: into.id },
    })
    forgetAnswers()
    onAdded({ into, ...data })
  })
  return (
    <form noValidate className="stack" onSubmit={submitTo(add)}>
      <FormError error={add.error} />
      <TargetSelect {...targets} />
      {left !== undefined && <p className="note wait">{left}</p>}
      <p className="small soft">{texts.sessionStaysIfYouAdd}</p>
      <div className="row end">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" className="main" isBusy={add.isRunning}>
          {texts.add}
        </Button>
      </div>
    </form>
  )
}

function RenameSessionDialog({ session, onChanged, onClose }: DialogProps) {
  const rename = async (name: string) => {
    await api.patch('/v1/scan-sessions/{id}', { path: { id: session.id }, body: { name } })
    onClose()
    onChanged(texts.sessionWasRenamed)
  }
  return <NameDialog title={texts.rename} name={session.name} save={rename} onClose={onClose} />
}

function DeleteSessionDialog({ session, of, inbox, onClose }: DialogProps) {
  const [, go] = useLocation()
  const remove = useAction(async () => {
    await api.delete('/v1/scan-sessions/{id}', { path: { id: session.id } })
    await inbox?.deleteSession(of)
    forgetAnswers()
    go('/identify/sessions')
  })
  return (
    <ConfirmDialog
      title={texts.deleteQuestion(session.name)}
      confirmLabel={texts.deleteLabel}
      action={remove}
      onClose={onClose}
    >
      <p>{texts.cardsWillBeDeleted(session.item_count)}</p>
    </ConfirmDialog>
  )
}
