// The thread that reads photos: reader.ts starts it, and replaces it when it dies.
import { loadPipeline } from '../pipeline.ts'
import { serveReader } from './serve.ts'

serveReader(loadPipeline)
