/** State of a photo reader, for readyz, metrics and other servers. */
export type ReaderState = {
  /** True if at least one thread is started, whether idle or reading. */
  ready: boolean
  /** Threads, started or not. */
  threads: number
  /** Photos in the queue. */
  waiting: number
  /** Photos being read. */
  reading: number
  /** Number of replaced crashed threads since the start. */
  replaced: number
  /** Number of indexed pictures for comparison with photos. */
  pictures: number
}
