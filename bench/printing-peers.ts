import { runPeer, scoreOn, type Tally } from './peers.ts'

/** Results of other programs on photos of printed cards (peer/printings.py). */
export type PrintingPeers = {
  /** Photos with the right printing first, by slice. */
  right: Tally
  /** Numbers and names that Tesseract read, by row. */
  read: Tally
}

export async function peersOn(folder: string): Promise<PrintingPeers> {
  const results = await runPeer('printings.py', folder)
  // peer/printings.py prints this type.
  return (results as PrintingPeers | undefined) ?? { right: {}, read: {} }
}

/** Returns the scores of all programs on a slice. */
export const firstByPeers = ({ right }: PrintingPeers, slice: string) => scoreOn(right, slice)

/** Returns the scores of programs that need no pictures. */
export function firstByPrint({ right: { Tesseract = {} } }: PrintingPeers, slice: string): string {
  return scoreOn({ Tesseract }, slice)
}

/** Returns the scores of reading. */
export function readByPeers({ read: { number = {}, name = {} } }: PrintingPeers, row: string) {
  return scoreOn({ Tesseract: number, 'the name': name }, row)
}
