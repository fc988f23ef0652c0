/** Sender of a photo. Networks take turns, and so do the payers of a network. */
export type PhotoSender = {
  /** Network of the client's address. */
  network: string
  /** Account, or wallet without one. */
  payer: string
}

type Queued = { sender: PhotoSender }

/** Queue of photos in which no sender delays the others by more than its turn. */
export type PhotoQueue<Photo extends Queued> = {
  length(): number
  /** Returns the number of waiting photos of a payer, from all networks. */
  countByPayer(payer: string): number
  /** Adds a photo. Senders that have had no turn since they came are served first. */
  add(photo: Photo): void
  /** Removes and returns the next photo. */
  shift(): Photo | undefined
  remove(photo: Photo): void
  /**
   * Makes room for a photo: removes the newest one of the network with the most.
   *
   * @returns undefined if no network would still have as many as the sender's
   */
  evictFor(sender: PhotoSender): Photo | undefined
}

export function createPhotoQueue<Photo extends Queued>(): PhotoQueue<Photo> {
  const networks = createRing<Ring<Photo[]>>()
  /** Sender of the last turn, whose photo is probably still being read. */
  let last: PhotoSender | undefined

  function remove(photo: Photo): void {
    const { network, payer } = photo.sender
    const payers = networks.get(network)
    const photos = payers?.get(payer)
    if (payers === undefined || photos?.includes(photo) !== true) return
    photos.splice(photos.indexOf(photo), 1)
    if (photos.length === 0) payers.remove(payer)
    if (payers.values().length === 0) networks.remove(network)
  }

  const countOf = (payers: Ring<Photo[]> | undefined) => payers?.values().flat().length ?? 0

  return {
    length: () => networks.values().reduce((sum, payers) => sum + countOf(payers), 0),
    countByPayer: (payer) =>
      networks.values().reduce((sum, payers) => sum + (payers.get(payer)?.length ?? 0), 0),
    add(photo) {
      const { network, payer } = photo.sender
      const payers =
        networks.get(network) ?? networks.add(network, createRing(), network === last?.network)
      const photos = payers.get(payer) ?? payers.add(payer, [], payer === last?.payer)
      photos.push(photo)
    },
    shift() {
      const photo = networks.next()?.next()?.[0]
      if (photo === undefined) return undefined
      last = photo.sender
      remove(photo)
      return photo
    },
    remove,
    evictFor({ network }) {
      const most = networks.values().reduce<Ring<Photo[]> | undefined>((most, payers) => {
        return countOf(payers) > countOf(most) ? payers : most
      }, undefined)
      if (countOf(most) <= countOf(networks.get(network)) + 1) return undefined
      // Its payer with the most loses the newest.
      const photo = most
        ?.values()
        .reduce((longest, photos) => (photos.length > longest.length ? photos : longest))
        .at(-1)
      if (photo !== undefined) remove(photo)
      return photo
    },
  }
}

/** Values that take turns. */
type Ring<Value> = {
  get(key: string): Value | undefined
  values(): Value[]
  /** Adds a value behind those that had no turn, and before those that had one. */
  add(key: string, value: Value, hadTurn: boolean): Value
  /** Returns the first value, which becomes the last. */
  next(): Value | undefined
  remove(key: string): void
}

function createRing<Value>(): Ring<Value> {
  const entries: { key: string; value: Value; hadTurn: boolean }[] = []
  return {
    get: (key) => entries.find((entry) => entry.key === key)?.value,
    values: () => entries.map(({ value }) => value),
    add(key, value, hadTurn) {
      const served = hadTurn ? -1 : entries.findIndex((entry) => entry.hadTurn)
      entries.splice(served < 0 ? entries.length : served, 0, { key, value, hadTurn })
      return value
    },
    next() {
      const entry = entries.shift()
      if (entry === undefined) return undefined
      entries.push({ ...entry, hadTurn: true })
      return entry.value
    },
    remove(key) {
      const index = entries.findIndex((entry) => entry.key === key)
      if (index >= 0) entries.splice(index, 1)
    },
  }
}
