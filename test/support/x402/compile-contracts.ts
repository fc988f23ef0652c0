import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'

/** A contract as deployed, and as stored on the chain afterwards. */
export type Contract = { abi: Abi; bytecode: Hex; runtime: Hex }

const FOLDER = join(import.meta.dir, 'contracts')
const PACKAGES = dirname(dirname(Bun.resolveSync('@openzeppelin/contracts/package.json', FOLDER)))

const OUTPUT = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']

/** Compiles contracts of test/support/contracts, each named like its file. */
export async function compileContracts<Name extends string>(
  names: readonly Name[],
): Promise<Record<Name, Contract>> {
  // The compiler has nine megabytes, so it is loaded only when needed.
  const { default: solc } = await import('solc')
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(names.map((name) => [name, { content: sourceOf(name) }])),
    settings: {
      // Only these, because every imported contract would be compiled, too.
      outputSelection: Object.fromEntries(names.map((name) => [name, { [name]: OUTPUT }])),
    },
  }
  const output: Output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (path: string) => ({ contents: importedAt(path) }),
    }),
  )
  const faults = output.errors?.filter(({ severity }) => severity === 'error') ?? []
  if (faults.length > 0) {
    throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'))
  }
  const compiled = names.map((name) => [name, contractOf(output, name)] as const)
  return Object.fromEntries(compiled) as Record<Name, Contract>
}

/** The members that are used here. */
type Output = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }
    >
  >
}

function contractOf({ contracts }: Output, name: string): Contract {
  const compiled = contracts[name]?.[name]
  if (compiled === undefined) throw new Error(`${name}.sol holds no contract ${name}`)
  const { abi, evm } = compiled
  return { abi, bytecode: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` }
}

function sourceOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.sol`), 'utf8')
}

function importedAt(path: string): string {
  return readFileSync(join(PACKAGES, path.replace(/^@openzeppelin\//, '')), 'utf8')
}
