import type { OwnedCopies } from '#client/endpoints.ts'
import { AddCopy, type AddedCard } from './add-copy.tsx'
import { OwnedMark } from './owned-mark.tsx'

type OwnedControlProps = { card: AddedCard; copies: readonly OwnedCopies[] | undefined }

/** Shows how many copies of a listed card are owned, and adds one. */
export function OwnedControl({ card, copies }: OwnedControlProps) {
  return (
    <>
      <OwnedMark copies={copies} />
      <AddCopy card={card} />
    </>
  )
}
