import { createFairQueue, type FairQueue } from '#concurrency/fair-queue.ts'

/** Sender of a photo. Networks take turns, and within a network its payers take turns. */
export type PhotoSender = {
  /** Network of the client's address. */
  network: string
  /** Account, or wallet without one. */
  payer: string
}

type Queued = {
  sender: PhotoSender
  /** True for a photo of many cards, and for the cards that were cut out of it. */
  isOfPage?: boolean
  /**
   * True for a photo that is read again. It precedes all others, because it has already waited, and does not count
   * against the length of the queue.
   */
  isRetry?: boolean
}

/**
 * Queue of photos in which a sender delays each other sender by one turn at most. All pages together delay a photo by
 * one turn, too, however many wait: each of their cards joins the queue, so they take their turns among themselves.
 */
export type PhotoQueue<Photo extends Queued> = Pick<
  FairQueue<Photo>,
  'add' | 'take' | 'end' | 'remove' | 'waitingCount'
> & {
  /** Returns the number of photos that wait for their first turn. */
  countNew(): number
  /** Returns the number of these photos that belong to a payer, from all networks. */
  countByPayer(payer: string): number
  /**
   * Makes room for a photo: removes the newest photo of the network with the most photos, from the payer with the
   * most of them.
   *
   * @returns undefined if no network would then still have as many photos as the sender's
   */
  evictFor(sender: PhotoSender): Photo | undefined
}

export function createPhotoQueue<Photo extends Queued>(): PhotoQueue<Photo> {
  const queue = createFairQueue<Photo>({
    turns: ({ sender: { network, payer }, isOfPage }) =>
      isOfPage === true ? [PAGES, network, payer] : [network, payer],
    // A page would be a newcomer with each of its cards.
    newcomersFirst: ({ isOfPage }) => isOfPage !== true,
    rank: ({ isRetry }) => (isRetry === true ? 0 : 1),
  })
  const listNew = () => queue.waiting().filter(({ isRetry }) => isRetry !== true)

  return {
    ...queue,
    countNew: () => listNew().length,
    countByPayer: (payer) => listNew().filter(({ sender }) => sender.payer === payer).length,
    evictFor({ network }) {
      const networks = Map.groupBy(listNew(), ({ sender }) => sender.network)
      const most = findLongest(networks.values())
      if (most.length <= (networks.get(network)?.length ?? 0) + 1) return undefined
      const payers = Map.groupBy(most, ({ sender }) => sender.payer)
      const photo = findLongest(payers.values()).at(-1)
      if (photo !== undefined) queue.remove(photo)
      return photo
    },
  }
}

/** Key of all pages, in the place of a network. */
const PAGES = 'pages'

/** Returns the first of the longest lists. */
function findLongest<Item>(lists: Iterable<Item[]>): Item[] {
  return [...lists].reduce((longest, list) => (list.length > longest.length ? list : longest), [])
}
