import { fork } from 'node:child_process'
import { once } from 'node:events'

const OUTSIDE_NEXT = new URL('../../support/outside-next.ts', import.meta.url).href

/** A module of ours in a Node process of its own, that answers one question at a time. */
export interface Worker<Question, Answer> {
  ask: (question: Question) => Promise<Answer>
  stop: () => Promise<void>
  /** Stops it in the middle of what it does (STOP), lets it go on (CONT), or ends it as a power cut would (KILL). */
  signal: (signal: 'STOP' | 'CONT' | 'KILL') => void
}

type Reply<Answer> = { answer: Answer } | { error: string }

/**
 * Starts a module that calls `answerQuestions`; it ends with this process at the latest. `nodeArgs` and BENCH_NODE_ARGS
 * are more arguments of its Node, such as `--cpu-prof --cpu-prof-dir=/tmp/prof`.
 */
export function startWorker<Question extends object | string, Answer>(
  module: URL,
  env: Record<string, string> = {},
  nodeArgs: string[] = [],
): Worker<Question, Answer> {
  const child = fork(module, {
    execArgv: [
      '--import',
      'tsx',
      '--import',
      OUTSIDE_NEXT,
      ...nodeArgs,
      ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []),
    ],
    env: { ...process.env, ...env },
    serialization: 'advanced',
  })
  const exited = once(child, 'exit')
  return {
    ask: async (question) => {
      child.send(question)
      const ended = exited.then(([code]) => {
        throw new Error(`${module.pathname} ended with ${code}`)
      })
      const [reply] = (await Promise.race([once(child, 'message'), ended])) as [Reply<Answer>]
      if ('error' in reply) throw new Error(reply.error)
      return reply.answer
    },
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
    signal: (signal) => void child.kill(`SIG${signal}`),
  }
}

/** The worker's side: answers until the parent disconnects. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', (question: Question) => {
    answer(question).then(
      (value) => process.send?.({ answer: value }),
      (error) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}
