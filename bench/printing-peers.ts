import { runPeer, scoreOn, type Tally } from './peers.ts'

/** What other programs reach on the photos of printed cards (peer/printings.py). */
export type PrintingPeers = {
  /** Those whose first candidate is the printing, by slice. */
  right: Tally
  /** What Tesseract read of the `number` and the `name`, by the row that it belongs to. */
  read: Tally
}

export async function peersOn(folder: string): Promise<PrintingPeers> {
  const asked = await runPeer('printings.py', folder)
  // Our own script prints exactly this.
  return (asked as PrintingPeers | undefined) ?? { right: {}, read: {} }
}

/** Who names the printing first on this slice: those that compare pictures, and Tesseract. */
export const firstByPeers = ({ right }: PrintingPeers, slice: string) => scoreOn(right, slice)

/** Those that need no pictures. */
export function firstByPrint({ right: { Tesseract = {} } }: PrintingPeers, slice: string): string {
  return scoreOn({ Tesseract }, slice)
}

/** What is read of the photos of this row. */
export function readByPeers({ read: { number = {}, name = {} } }: PrintingPeers, row: string) {
  return scoreOn({ Tesseract: number, 'the name': name }, row)
}
