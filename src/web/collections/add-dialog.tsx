import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/collections/add.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { QueryError } from '../components/error-message.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { DOLLARS } from '../format.ts'
import { collectionUrl, useCollections } from './queries.ts'
import type { TargetCollection } from './target-select.tsx'

type AddDialogProps<Result> = {
  title: string
  /** Form that chooses a collection and adds cards to it. */
  form: (props: {
    collections: readonly TargetCollection[]
    onAdded: (result: Result) => void
  }) => ReactNode
  /** Describes what was added. */
  describe: (result: Result) => ReactNode
  onClose: () => void
}

/** Adds cards to the collection that its form chooses, then links to it. */
export function AddDialog<Result extends { into: TargetCollection }>({
  title,
  form,
  describe,
  onClose,
}: AddDialogProps<Result>) {
  const collections = useCollections(DOLLARS)
  const [result, setResult] = useState<Result>()
  if (result !== undefined) {
    return (
      <Dialog title={texts.added} onClose={onClose}>
        <p role="status">{describe(result)}</p>
        <div className="row end">
          <Link className="button" href={collectionUrl(result.into.id)}>
            {texts.openIt}
          </Link>
          <Button className="main" onClick={onClose}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <QueryError query={collections} />
      {collections.data === undefined
        ? collections.isPending && <LineSkeleton count={4} />
        : form({ collections: collections.data.data, onAdded: setResult })}
    </Dialog>
  )
}
