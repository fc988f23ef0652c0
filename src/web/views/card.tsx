import { Page } from '../parts/page.tsx'

/** A card. */
export function CardView({ id }: { id: number }) {
  return <Page title={`Card ${id}`}>{null}</Page>
}
