import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { collectionUrl } from './queries.ts'

type AddedDialogProps = {
  /** ID of the collection. */
  id: string
  /** Sentence about what was added. */
  children: ReactNode
  onClose: () => void
}

/** Reports what was added to a collection, and leads there. */
export function AddedDialog({ id, children, onClose }: AddedDialogProps) {
  return (
    <Dialog title="Added" onClose={onClose}>
      <p role="status">{children}</p>
      <div className="row end">
        <Link className="button" href={collectionUrl(id)}>
          Open it
        </Link>
        <Button className="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
