// Builds a single executable with the packages, networks and sample, for this operating system and processor.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { parseArguments, printResult, runCommand } from './cli/terminal.ts'
import { embeddedFiles, WORKER_URL } from './executable/embedded-paths.ts'

const USAGE = `Usage: bun run compile [FILE]

Builds the single-file executable: FILE, or ./dist/cardstock.`

const ROOT = resolve(import.meta.dir, '..')

/** Files other than code that the program reads. */
const FILES = [
  'data/sample/**/*',
  'data/model/*',
  'docs/README.md',
  'docs/{guides,reference}/**/*.md',
  'src/vision/**/*.wasm',
  'node_modules/@img/**/*',
  `node_modules/better-sqlite3/prebuilds/${process.platform}*-${process.arch}.node`,
  'node_modules/@tensorflow/tfjs-backend-wasm/dist/*.wasm',
  'node_modules/swagger-ui-dist/swagger-ui{.css,-bundle.js}',
  // The doctor checks the versions.
  ...Object.keys(packageJson.dependencies).map((name) => `node_modules/${name}/package.json`),
]

await runCommand(USAGE, async () => {
  const { positionals } = parseArguments({}, 1)
  const outfile = resolve(positionals[0] ?? join(ROOT, 'dist/cardstock'))
  const files = new Map(
    pathsOf(FILES).map((path) => [path, readFileSync(join(ROOT, path))] as const),
  )
  await compile(outfile, files)
  printResult({ executable: outfile, bytes: statSync(outfile).size, files: files.size })
  return 0
})

async function compile(outfile: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-'))
  try {
    const archive = join(folder, 'files.tar')
    await Bun.Archive.write(archive, Object.fromEntries(files))
    await Bun.build({
      entrypoints: [join(ROOT, 'scripts/executable/start.ts'), ...threads()],
      root: ROOT,
      target: 'bun',
      plugins: [embeddedFiles(ROOT)],
      define: {
        FILES_VERSION: JSON.stringify(versionOf(files)),
        // Without React's checks for developers.
        'process.env.NODE_ENV': '"production"',
      },
      compile: {
        outfile,
        // Outside the source tree, so that it is embedded under its bare name.
        assets: [archive],
        autoloadBunfig: false,
        // Packages with native libraries are resolved by their package.json.
        autoloadPackageJson: true,
      },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function threads(): string[] {
  return pathsOf(['src/**/*.ts']).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(WORKER_URL)].map(([, name = '']) =>
      join(ROOT, dirname(path), name),
    ),
  )
}

function versionOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of files) hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex').slice(0, 16)
}

function pathsOf(patterns: readonly string[]): string[] {
  const places = { cwd: ROOT, followSymlinks: true }
  return patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(places)]).sort()
}
