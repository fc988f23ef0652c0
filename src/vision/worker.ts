// The thread that reads photos: reader.ts starts it, and replaces it when it dies.
import { openEye } from './eye.ts'
import { serveEye } from './serve-eye.ts'

serveEye(openEye)
