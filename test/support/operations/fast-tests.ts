/**
 * The fast tests: all files that are not named `*.slow.test.ts`. They start no process, worker thread or server, and
 * open no connection, so that `bun run test` needs neither programs nor ports and finishes within 90 seconds.
 */
import { mock } from 'bun:test'
import * as childProcess from 'node:child_process'
import { Server, Socket } from 'node:net'
import * as threads from 'node:worker_threads'

/** Returns true if the running test file belongs to `bun run test:slow`. */
export function isSlowFile(): boolean {
  return /\.slow\.test\.tsx?$/.test(Bun.main)
}

const refused: string[] = []

/** Makes processes, threads, servers and connections throw in a fast test. */
export function guardFastTests(): void {
  guard(Bun, ['connect', 'listen', 'serve', 'spawn', 'spawnSync', 'udpSocket'])
  guard(globalThis, ['Worker', 'fetch', 'WebSocket'])
  guard(Socket.prototype, ['connect'])
  guard(Server.prototype, ['listen'])
  mock.module('node:child_process', () => guarded(childProcess))
  mock.module('node:worker_threads', () => ({ ...threads, ...guarded({ Worker: threads.Worker }) }))
}

/** @throws Error if the test continued after a refusal, like code that handles a lost connection */
export function reportRefused(): void {
  const [first] = refused.splice(0)
  if (first !== undefined) throw new Error(first)
}

function guard<Owner extends object>(owner: Owner, names: readonly (keyof Owner)[]): void {
  for (const name of names) Object.assign(owner, guarded({ [name]: owner[name] }))
}

/** Returns the same members, with functions that throw in a fast test. */
function guarded(members: object): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      typeof member === 'function' ? guardedFunction(name, member) : member,
    ]),
  )
}

function guardedFunction(name: string, target: object): object {
  return new Proxy(target, {
    apply(call, self, args) {
      if (name !== 'fetch' || !isLocal(args[0])) refuse(name)
      return Reflect.apply(call as () => unknown, self, args)
    },
    construct(type, args) {
      refuse(name)
      return Reflect.construct(type as new () => object, args)
    },
  })
}

/** Returns true if a resource is fetched without a connection. */
function isLocal(resource: unknown): boolean {
  const url = resource instanceof Request ? resource.url : String(resource)
  return /^(blob|data|file):/.test(url)
}

function refuse(name: string): void {
  if (isSlowFile()) return
  const message = `${Bun.main} uses ${name}: rename it to *.slow.test.ts, which \`bun run test:slow\` runs.`
  refused.push(message)
  throw new Error(message)
}
