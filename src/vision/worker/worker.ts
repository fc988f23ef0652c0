// Entry of a reader thread. reader-thread.ts starts it.
import { loadPipeline } from '../pipeline.ts'
import { serveReader } from './serve.ts'

serveReader(loadPipeline)
