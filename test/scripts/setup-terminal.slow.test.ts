/** The setup as a person answers it on a terminal. */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import {
  type Answer,
  CTRL_C,
  CTRL_D,
  HAS_TERMINAL,
  runOnTerminal,
} from '../support/operations/terminal.ts'
import { startServerProcess } from '../support/server-process.ts'
import { EVERY_PATH, startMirror } from '../support/sync/mirror-server.ts'
import { smallUpstream } from '../support/sync/upstream-fixture.ts'

const EMAIL = 'owner@shop.example'
const PASSWORD = 'four random plain words'

/** Creates a data folder, and chooses the port of its server. */
async function openPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-setup-'))
  closeAfterUse(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await findFreePort()
  const env = { DATA_DIR: dataDir, PORT: String(port) }
  return {
    dataDir,
    port,
    url: `http://localhost:${port}`,
    run: (answers: readonly Answer[] = [], options = '', more: Record<string, string> = {}) =>
      runOnTerminal(`setup.ts ${options}`, { ...env, ...more }, answers),
    /** Reads the stored settings. */
    async read() {
      prepareFiles(dataDir)
      const ledger = openLedger(dataDir)
      try {
        const accounts = await ledger.accounts.list()
        return {
          settings: await ledger.settings.list(),
          accounts: accounts.map(({ email }) => email),
        }
      } finally {
        await ledger.close()
      }
    },
  }
}

function openMirror() {
  const mirror = startMirror(smallUpstream(new Date().toISOString()).files)
  closeAfterUse(mirror.close)
  return mirror
}

async function openServer({ port, dataDir, url }: Awaited<ReturnType<typeof openPlace>>) {
  const env = { PUBLIC_URL: url, INDEX_PICTURES: '' }
  const server = startServerProcess({
    port,
    dataDir,
    env,
    args: ['--with-sample'],
    holdsPictures: true,
  })
  closeAfterUse(server.kill)
  await server.ready()
  return server
}

const ACCOUNT: Answer[] = [
  ['E-mail: ', EMAIL],
  ['Password: ', PASSWORD],
  ['Again: ', PASSWORD],
]

describe.skipIf(!HAS_TERMINAL)('the setup on a terminal', () => {
  test('asks all questions while a server runs, which then reads the prices of the mirror', async () => {
    const place = await openPlace()
    await openServer(place)
    const { url } = openMirror()
    const { code, text, unanswered } = await place.run([
      ...ACCOUNT,
      ['Answer [private]: ', ''],
      ['Answer [tcgcsv.com]: ', url],
      ['with the first prices? [yes] ', ''],
      ['Index the pictures? [yes] ', 'n'],
    ])
    expect([code, unanswered]).toEqual([0, []])
    expect(text).not.toContain(PASSWORD)
    expect(text).toMatch(/tcgcsv\.com {2}A free public mirror .*half an hour.*1 GB of disk\./s)
    expect(text).toMatch(/It has 2 games, with prices of [\d-]{10} [\d:]{5} UTC\./)
    expect(text).toContain('This server is set up.')
    expect(text).toContain(`The server at ${place.url} begins to read the prices`)
    for (;;) {
      const { data } = await (await fetch(`${place.url}/v1/games`)).json()
      const slugs = data.map(({ slug }: { slug: string }) => slug)
      if (Bun.deepEquals(slugs, ['pokemon', 'harbour-and-haven'])) break
      await Bun.sleep(50)
    }
    const account = JSON.stringify({ email: EMAIL, password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: account }
    const login = await fetch(`${place.url}/v1/auth/login`, init)
    expect((await login.json()).data).toMatchObject({ email: EMAIL, is_operator: true })
    expect((await fetch(`${place.url}/v1/auth/register`, init)).status).toBe(403)
  })

  test('explains a wrong answer, and asks again', async () => {
    const place = await openPlace()
    const mirror = openMirror()
    const { code, lines, unanswered } = await place.run([
      ['E-mail: ', 'owner@'],
      ['E-mail: ', EMAIL],
      ['Password: ', 'short'],
      ['Password: ', PASSWORD],
      ['Again: ', 'other words'],
      ...ACCOUNT.slice(1),
      ['Answer [private]: ', '4'],
      ['Answer [private]: ', 'everybody'],
      ['Answer [private]: ', 'b'],
      ['Answer [tcgcsv.com]: ', 'file:///srv/mirror'],
      ['Answer [tcgcsv.com]: ', 'http://127.0.0.1:1'],
      ['Answer [tcgcsv.com]: ', `${mirror.url}/nothing`],
      ['Answer [tcgcsv.com]: ', 'none'],
      ['Index the pictures? [yes] ', 'perhaps'],
      ['Index the pictures? [yes] ', 'YES'],
    ])
    expect([code, unanswered]).toEqual([0, []])
    for (const explanation of [
      'Type an e-mail address such as you@example.com.',
      'The password must be at least 8 characters long.',
      'The two passwords differ.',
      'Type a number from 1 to 3, or one of the words beside them.',
      'The answer must be an address with https://. A folder can only be set as UPSTREAM_URL.',
      expect.stringMatching(/^The mirror cannot be used: .*connection failed/),
      expect.stringMatching(/^The mirror cannot be used: last-updated\.txt: .*does not exist/),
      'Type yes or no.',
    ]) {
      expect(lines).toContainEqual(explanation)
    }
    expect(await place.read()).toEqual({
      accounts: [EMAIL],
      settings: { mode: 'business', mirror: '', pictures: 'on', setup: 'finished' },
    })
  })

  test('leaves nothing incomplete when it is stopped, and continues from there', async () => {
    const place = await openPlace()
    const stop = async (...answers: Answer[]) => {
      const { code, text } = await place.run(answers)
      expect(code).toBe(130)
      expect(text).toContain('Stopped. Your answers are stored')
      return text
    }
    await stop(['E-mail: ', CTRL_C])
    await stop(['E-mail: ', EMAIL], ['Password: ', PASSWORD], ['Again: ', CTRL_D])
    expect(await place.read()).toEqual({ accounts: [], settings: {} })
    await stop(...ACCOUNT, ['Answer [private]: ', CTRL_C])
    expect(await place.read()).toEqual({ accounts: [EMAIL], settings: {} })

    const text = await stop(['Answer [private]: ', 'community'], ['Answer [tcgcsv.com]: ', CTRL_C])
    expect(text).toContain(`Operator: ${EMAIL}`)
    expect(text).toContain('Who uses this server?  (question 1 of 3)')

    // Ctrl-C ends the wait for a silent mirror.
    const silent = openMirror()
    const { promise, resolve } = Promise.withResolvers<void>()
    closeAfterUse(resolve)
    silent.fault(EVERY_PATH, { until: promise })
    const waiting = await place.run([
      ['Answer [tcgcsv.com]: ', silent.url],
      ['Reading ', CTRL_C],
    ])
    expect(waiting.code).toBe(130)
    expect((await place.read()).settings).toEqual({ mode: 'community' })

    const last = await place.run([
      ['Answer [tcgcsv.com]: ', '2'],
      ['Index the pictures? [yes] ', 'no'],
    ])
    expect(last.text).toContain('Where do prices come from?  (question 1 of 2)')
    expect((await place.read()).settings).toEqual({
      mode: 'community',
      mirror: '',
      pictures: 'off',
      setup: 'finished',
    })
  })

  test('skips what the environment, an option or a browser answers', async () => {
    const place = await openPlace()
    const env = { SERVICE_MODE: 'private' }
    /** Answers in another process, like a browser. */
    async function answerElsewhere(): Promise<string> {
      const other = await runOnTerminal(
        'setup.ts --index-pictures yes',
        { DATA_DIR: place.dataDir, PORT: String(place.port), ...env },
        [['Answer [tcgcsv.com]: ', CTRL_C]],
      )
      expect(other.code).toBe(130)
      return 'none'
    }
    const { code, text, unanswered } = await place.run(
      [
        ['Password: ', PASSWORD],
        ['Again: ', PASSWORD],
        ['Answer [tcgcsv.com]: ', answerElsewhere],
      ],
      `--email ${EMAIL}`,
      env,
    )
    expect([code, unanswered]).toEqual([0, []])
    expect(text).not.toContain('Who uses this server?')
    expect(text).not.toContain('Identify cards from photos?')
    expect((await place.read()).settings).toEqual({ mirror: '', pictures: 'on', setup: 'finished' })
  })

  test('is refused if the server already has an operator, with the address of that account', async () => {
    const place = await openPlace()
    const other = 'other@shop.example'
    const becomeOperator = async () => {
      const stopped: Answer = ['Answer [private]: ', CTRL_C]
      await place.run([['E-mail: ', other], ...ACCOUNT.slice(1), stopped])
      return PASSWORD
    }
    const late = await place.run([
      ['E-mail: ', EMAIL],
      ['Password: ', PASSWORD],
      ['Again: ', becomeOperator],
    ])
    expect(late.code).toBe(1)
    expect(late.text).toContain(`${other} has become the operator of this server in the meantime`)
    expect(await place.read()).toEqual({ accounts: [other], settings: {} })
    const named = await place.run([], `--email ${EMAIL}`)
    expect(named).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${other} is the operator`),
    })
  })

  test('asks for another address if an account has it', async () => {
    const place = await openPlace()
    const command = 'admin.ts account create --email guest@shop.example'
    await runOnTerminal(command, { DATA_DIR: place.dataDir }, ACCOUNT.slice(1))
    const { lines } = await place.run([
      ['E-mail: ', 'guest@shop.example'],
      ...ACCOUNT.slice(1),
      ...ACCOUNT,
      ['Answer [private]: ', CTRL_C],
    ])
    expect(lines).toContainEqual(expect.stringContaining('exists already. Use another one'))
    expect((await place.read()).accounts).toEqual(['guest@shop.example', EMAIL])
  })

  test('says that it is finished, and how to change its answers', async () => {
    const place = await openPlace()
    const all = `--mode private --mirror none --index-pictures no --email ${EMAIL}`
    expect((await place.run(ACCOUNT.slice(1), all)).code).toBe(0)
    const { code, text } = await place.run()
    expect(code).toBe(0)
    expect(text).toStartWith('This server is set up.\n')
    expect(text).toContain(`Operator        ${EMAIL}\n`)
    expect(text).toContain('Start it with "bun run up"')
    expect(text).toMatch(/Settings can be changed .*Operator,\sSettings\./)
    const json = await place.run([], '--mode business --json')
    expect(JSON.parse(json.text)).toMatchObject({ is_finished: true, mode: 'business' })
  })
})
