// Runs before a process that reads photos: its threads use the scripted pipeline.
const SCRIPTED = new URL('./scripted-worker.ts', import.meta.url)

globalThis.Worker = class extends Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
    super(String(entry).endsWith('/vision/worker/worker.ts') ? SCRIPTED : entry, options)
  }
}
