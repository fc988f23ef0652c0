// Bundles the program, its packages and files with a copy of Bun for one system.
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { TARGETS } from '../cli/tree-commands.ts'
import { embeddedFiles, WORKER_URL } from './embedded-paths.ts'

/** A system and processor, such as `linux-x64`. */
export type Target = (typeof TARGETS)[number]

const ROOT = resolve(import.meta.dir, '../..')

/** The system of this machine; undefined if no executable is built for it. */
export const OWN_TARGET = TARGETS.find((target) => target === `${process.platform}-${process.arch}`)

/** Files other than code that the program reads on all systems. */
const FILES = [
  'data/sample/**/*',
  'data/model/*',
  'docs/README.md',
  'docs/{guides,reference}/**/*.md',
  'src/vision/**/*.wasm',
  'node_modules/@tensorflow/tfjs-backend-wasm/dist/*.wasm',
  'node_modules/swagger-ui-dist/swagger-ui{.css,-bundle.js}',
  // Needed by the doctor, which checks the versions.
  ...Object.keys(packageJson.dependencies).map((name) => `node_modules/${name}/package.json`),
]

/** Libraries for a system, which sharp installs as packages. */
const SHARP_LIBRARIES = 'node_modules/@img/**/*'

/** Compiles the executable, and returns the number of files in it. */
export async function compileExecutable(outfile: string, target: Target): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-'))
  try {
    const [system, processor] = target.split('-')
    const sqlite = `node_modules/better-sqlite3/prebuilds/${system}*-${processor}.node`
    const libraries = target === OWN_TARGET ? ROOT : installFor(target, join(folder, 'packages'))
    const files = new Map([
      ...readFiles(ROOT, [...FILES, sqlite]),
      ...readFiles(libraries, [SHARP_LIBRARIES]),
    ])
    const archive = join(folder, 'files.tar')
    await Bun.Archive.write(archive, Object.fromEntries(files))
    await build(outfile, target, archive, hashOf(files))
    return files.size
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Installs the packages of another system, and returns the folder. */
function installFor(target: Target, folder: string): string {
  for (const path of ['package.json', 'bun.lock', 'scripts/tools/no-telemetry']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const [system, processor] = target.split('-')
  const flags = '--frozen-lockfile --production --omit=peer --ignore-scripts'.split(' ')
  const { exitCode, stderr } = Bun.spawnSync({
    cmd: [process.execPath, 'install', ...flags, `--os=${system}`, `--cpu=${processor}`],
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (exitCode === 0) return folder
  throw new Error(`The packages of ${target} could not be installed: ${stderr.toString().trim()}`)
}

async function build(
  outfile: string,
  target: Target,
  archive: string,
  version: string,
): Promise<void> {
  await Bun.build({
    entrypoints: [join(ROOT, 'scripts/executable/start.ts'), ...threads()],
    root: ROOT,
    target: 'bun',
    plugins: [embeddedFiles(ROOT)],
    define: {
      FILES_VERSION: JSON.stringify(version),
      // Excludes React's checks for developers.
      'process.env.NODE_ENV': '"production"',
    },
    compile: {
      outfile,
      // Bun fetches its own program for another system from the package registry.
      ...(target === OWN_TARGET ? {} : { target: `bun-${target}` }),
      // Outside the source tree, so that it is embedded under its bare name.
      assets: [archive],
      autoloadBunfig: false,
      // Packages with native libraries are resolved by their package.json.
      autoloadPackageJson: true,
    },
  })
}

function threads(): string[] {
  return pathsOf(ROOT, ['src/**/*.ts']).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(WORKER_URL)].map(([, name = '']) =>
      join(ROOT, dirname(path), name),
    ),
  )
}

function hashOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}

function readFiles(root: string, patterns: readonly string[]) {
  return pathsOf(root, patterns).map((path) => [path, readFileSync(join(root, path))] as const)
}

function pathsOf(cwd: string, patterns: readonly string[]): string[] {
  const places = { cwd, followSymlinks: true }
  return patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(places)]).sort()
}
