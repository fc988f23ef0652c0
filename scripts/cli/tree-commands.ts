// Commands of the source tree, which the executable does not have.
import { defineCommand, JSON_OPTION } from './definition.ts'
import { SERVICE_COMMANDS } from './service-commands.ts'

export const DEV = defineCommand({
  name: 'dev',
  summary: 'Like "up", and restarts the server when its code changes',
  options: {},
  examples: ['dev'],
})

export const CHECK = defineCommand({
  name: 'check',
  summary: 'Installs the packages, checks format, lint and types, and runs all tests',
  details:
    'The last line counts passed and failed tests. FUZZ_SEED sets the seed of everything that tests draw at random.',
  options: {},
  examples: ['check'],
})

/** The runs of `chaos`. */
const CHAOS_RUNS = {
  money:
    'photo payments, the scan ledger and billing under kills, damaged files and lost responses',
  alerts: 'price alerts under kills and failing receivers: none lost, none invented',
  quota: 'request quotas across servers that stop and are killed',
  sync: 'syncs killed at any moment and while publishing, and random prices against a model',
  photos: 'photo readers that crash, photo workers that are killed, names of a recorded catalog',
  service: 'random commands of accounts, sessions, keys and webhooks against a model',
  backup: 'backups under load, killed backups and killed restores',
  ledger:
    'three servers on PostgreSQL: kills, crashes, cut and used up connections, full disks, a wrong clock',
  fleet:
    'three servers with a bucket: servers that die or hang, a bad bucket, no database, a wrong clock, for MINUTES (default 60)',
  upgrade: 'three servers that are upgraded to a newer schema and downgraded under load',
  abuse:
    'held uploads, poison photos, pages, imports, resets, readers of a shared list, visitors of 200 networks and guessed passwords beside customers, for MINUTES (default 2)',
  clients: 'clients that three generators make from the API document (needs npm and PyPI)',
  soak: 'mixed load with syncs, backups, photos and alerts, for MINUTES (default 60)',
} as const

export type ChaosRun = keyof typeof CHAOS_RUNS

export const CHAOS = defineCommand({
  name: 'chaos',
  summary: 'Runs tests with kills and failures at full size, some minutes each',
  details: `Each run draws and prints a seed. FUZZ_SEED repeats its operations; the times of the kills differ. "check" runs all of them short.\n\n${Object.entries(
    CHAOS_RUNS,
  )
    .map(([name, about]) => `  ${name.padEnd(7)}  ${about}`)
    .join('\n')}`,
  arguments: {
    name: {
      kind: 'choice',
      choices: Object.keys(CHAOS_RUNS) as ChaosRun[],
      about: 'the run; without it, this help',
    },
    minutes: { kind: 'number', about: 'minutes of abuse, fleet and soak' },
  },
  options: {},
  examples: ['chaos sync', 'chaos soak 10'],
})

/** The benchmarks of `bench`, in the order in which they run. */
export const BENCHMARKS = [
  'card',
  'prices',
  'first-minute',
  'search',
  'growth',
  'fleet',
  'history',
  'bulk',
  'movers',
  'sync',
  'alerts',
  'quota',
  'logins',
  'memory',
  'dashboard',
  'confidence',
  'cardmarket',
  'deliveries',
  'identify',
  'layouts',
  'learning',
  'ledger',
  'lines',
  'maintenance',
  'pages',
  'print',
  'printings',
  'real-photos',
  'routes',
  'scan-session',
  'scans',
  'shared-ledger',
  'workers',
] as const

export const BENCH = defineCommand({
  name: 'bench',
  summary: 'Measures Cardstock against the limit of the machine and against a peer',
  details: `Prints a table (bench/README.md). BENCH_CARDS and BENCH_DAYS set the size of the catalog (500000 and 365).

"bench guard" looks for losses instead, on a catalog of its own: it measures fifteen figures of this tree, compares them with the ratios that are recorded for this processor, or with another commit, and exits with 1 if one is worse beyond the noise.`,
  arguments: {
    name: {
      kind: 'choice',
      choices: [...BENCHMARKS, 'guard'],
      about: `guard, or ${BENCHMARKS.join(', ')}; all of these by default`,
    },
  },
  isLastRepeated: true,
  options: {
    against: { kind: 'text', value: 'COMMIT', about: 'guard: measure this commit in turn' },
    figures: { kind: 'text', value: 'NAMES', about: 'guard: only these, separated by commas' },
    record: {
      kind: 'text',
      value: 'REASON',
      about: 'guard: record the ratios of this tree for this processor, in three runs',
    },
  },
  examples: ['bench', 'bench card search', 'bench guard', 'bench guard --against main'],
})

/** Systems for which the executable is built, by the names of the releases. */
export const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const

export const COMPILE = defineCommand({
  name: 'compile',
  summary: 'Builds the single-file executable with packages, networks and sample',
  details:
    'For another system, the libraries and the Bun of that system come from the package registry.',
  arguments: {
    file: { kind: 'file', about: 'path of the executable; ./dist/cardstock by default' },
  },
  options: {
    target: {
      kind: 'choice',
      choices: TARGETS,
      about: 'system and processor; those of this machine by default',
    },
    ...JSON_OPTION,
  },
  examples: ['compile', 'compile --target linux-arm64 cardstock-arm64'],
})

export const PACK_CLIENT = defineCommand({
  name: 'pack-client',
  summary: 'Packs the typed client as an npm package',
  details:
    'Needs the packages of the source tree, and neither Docker nor the network. "npm install FILE" installs the package in another project.',
  arguments: {
    folder: { kind: 'folder', about: 'folder of the package; ./dist by default' },
  },
  options: JSON_OPTION,
  examples: ['pack-client', 'pack-client ../shop'],
})

export const RELEASE = defineCommand({
  name: 'release',
  summary: 'Checks that the tree can be released, and builds the files of the release',
  details:
    'Pins the base images of the Dockerfile to the digest that their tag has now, and checks bun.lock for advisories. Then writes to dist/release: the executable of each system, the packed npm package of the client, and their SHA-256 checksums. Prints a line per step and exits with 0 if all passed, 1 if one failed, and 3 if one could not run: Docker is not installed, or a registry does not answer.',
  options: {
    'checks-only': { kind: 'flag', about: 'build nothing' },
    ...JSON_OPTION,
  },
  examples: ['release', 'release --checks-only'],
})

/** All commands of package.json with a definition, by name, as the help lists them. */
export const ALL_COMMANDS = {
  ...SERVICE_COMMANDS,
  dev: DEV,
  check: CHECK,
  chaos: CHAOS,
  bench: BENCH,
  compile: COMPILE,
  'pack-client': PACK_CLIENT,
  release: RELEASE,
} as const
