// Packs the client as an npm package: JavaScript with its transport, types, README and licenses.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dir, '../../..')
const SOURCE = join(ROOT, 'src/client')

const TYPES = ['client.d.ts', 'requests.d.ts', 'endpoints.d.ts']

/** The package.json of the client. Its version is that of the server from whose API it was generated. */
const MANIFEST = {
  name: 'cardstock-client',
  version: packageJson.version,
  description: 'Typed client of the Cardstock API, without dependencies.',
  license: packageJson.license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './client.d.ts', default: './client.js' } },
  types: './client.d.ts',
  files: ['client.js', ...TYPES],
}

/**
 * Writes `cardstock-client-VERSION.tgz` into a folder, and returns its path.
 *
 * @throws ServiceError UNAVAILABLE if the packages are not installed
 */
export async function packClient(outFolder: string): Promise<string> {
  if (!existsSync(join(ROOT, COMPILER))) {
    throw new ServiceError(
      'UNAVAILABLE',
      'The packages are not installed. Run "bun install --frozen-lockfile --ignore-scripts", then try again.',
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  try {
    run(COMPILER, ...COMPILER_OPTIONS, '--outDir', folder)
    await Bun.build({ entrypoints: [join(SOURCE, 'client.ts')], outdir: folder, target: 'browser' })
    // TypeScript before version 5.7 rejects the file endings in the imports of the sources.
    for (const name of TYPES) {
      const types = join(folder, name)
      writeFileSync(types, readFileSync(types, 'utf8').replaceAll(/'(\.\/\w+)\.ts'/g, "'$1.js'"))
    }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`)
    copyFileSync(join(SOURCE, 'README.md'), join(folder, 'README.md'))
    const licenses = LICENSES.map((path) => readFileSync(join(ROOT, path), 'utf8'))
    writeFileSync(join(folder, 'LICENSE'), licenses.join('\nclient.js includes openapi-fetch:\n\n'))
    run('pm', 'pack', '--cwd', folder, '--quiet')
    const name = `${MANIFEST.name}-${MANIFEST.version}.tgz`
    mkdirSync(outFolder, { recursive: true })
    copyFileSync(join(folder, name), join(outFolder, name))
    return join(outFolder, name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const LICENSES = ['LICENSE', 'node_modules/openapi-fetch/LICENSE']

const COMPILER = 'node_modules/typescript/bin/tsc'

const COMPILER_OPTIONS = [
  '--ignoreConfig',
  join(SOURCE, 'client.ts'),
  '--strict',
  '--declaration',
  '--emitDeclarationOnly',
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--allowImportingTsExtensions',
  '--lib',
  'es2024,dom,dom.iterable',
  '--types',
  '',
]

function run(...args: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync({
    cmd: [process.execPath, ...args],
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (exitCode !== 0) throw new Error(`bun ${args[0]} failed: ${stdout}${stderr}`)
}
