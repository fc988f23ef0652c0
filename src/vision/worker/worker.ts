// The thread that reads photos: reader.ts starts it, and replaces it when it dies.
import { openEye } from '../pipeline.ts'
import { serveEye } from './serve.ts'

serveEye(openEye)
