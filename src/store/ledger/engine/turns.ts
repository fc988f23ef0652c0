/**
 * Lets the operations of an account run one after another on this server: at once they would conflict in the
 * database and be repeated. No turn outlasts its own deadline, and each began before the ones that wait for
 * it, so none is kept past its deadline.
 */
export function openTurns() {
  const last = new Map<number, Promise<void>>()

  return <Result>(account: number | undefined, run: () => Promise<Result>): Promise<Result> => {
    if (account === undefined) return run()
    const before = last.get(account)
    const turn = before === undefined ? run() : before.then(run)
    const ended = turn.then(forget, forget)
    last.set(account, ended)
    function forget() {
      if (last.get(account as number) === ended) last.delete(account as number)
    }
    return turn
  }
}
