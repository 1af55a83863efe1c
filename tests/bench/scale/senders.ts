import { startWorker } from '../support/worker'
import type { Ground } from './place'
import type { SendAnswer, SendQuestion } from './send-worker'

/** How many messages are queued. */
export async function queued({ bare }: Ground): Promise<number> {
  const { rows } = await bare.query(
    `select count(*)::integer as n from public.messages where status = 'queued'`,
  )
  return rows[0].n
}

/**
 * Drains the outbox for so many seconds with so many processes, each with a provider that answers at once.
 * @returns an answer of each process, and the ids of all messages that a provider was given, in the warm-up, too
 */
export async function send(
  { stack, lab }: Ground,
  processes: number,
  seconds: number,
): Promise<{ answers: SendAnswer[]; given: string[] }> {
  const env = {
    SUPABASE_URL: stack.url,
    SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey,
    SUPABASE_SECRET_KEY: stack.keys.secretKey,
    CRON_SECRET: stack.keys.cronSecret,
    SECRETS_KEY: stack.keys.secretsKey,
    APP_URL: 'https://crm.example',
    LOG_LEVEL: 'error',
  }
  const workers = Array.from({ length: processes }, () =>
    startWorker<SendQuestion, SendAnswer>(new URL('./send-worker.ts', import.meta.url), env),
  )
  try {
    const question = { url: stack.url, secretKey: stack.keys.secretKey, organizationId: lab.organization }
    const drainFor = (milliseconds: number) =>
      Promise.all(workers.map((worker) => worker.ask({ ...question, milliseconds })))
    // Started and warm before the clock runs.
    const warmUp = await drainFor(1000)
    const answers = await drainFor(seconds * 1000)
    return { answers, given: [...warmUp, ...answers].flatMap(({ sent }) => sent) }
  } finally {
    for (const worker of workers) await worker.stop()
  }
}

/** Messages a second of all processes together. */
export function perSecond(answers: SendAnswer[]): number {
  return answers.reduce((sum, { sent, milliseconds }) => sum + (sent.length / milliseconds) * 1000, 0)
}
