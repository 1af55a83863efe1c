import { fileURLToPath } from 'node:url'
import { RESEND, TWILIO } from '../factories/integrations'
import type { Random } from '../fakes/pms/random'
import type { Fault } from '../fakes/providers/faults'
import { spawnChild } from '../support/postgres/child'
import { until } from '../support/postgres/poll'

/** The messages that a provider accepted, in order: our id and the recipient. */
export interface Accepted {
  messageId: string
  recipient: string
}

/** A provider in a process of its own. */
export interface Fake {
  url: string
  setFault: (fault: Fault | null) => Promise<void>
  accepted: () => Promise<Accepted[]>
  close: () => Promise<void>
}

/** Starts a fake Twilio. */
export function startTwilio(): Promise<Fake> {
  const env = {
    TWILIO_PORT: '0',
    TWILIO_ACCOUNT_SID: TWILIO.account_sid,
    TWILIO_AUTH_TOKEN: TWILIO.auth_token,
  }
  return startFake<{ form: Record<string, string> }>('twilio', env, ({ form }) => ({
    messageId: new URL(form.StatusCallback ?? '').searchParams.get('message') ?? '',
    recipient: form.To ?? '',
  }))
}

/** Starts a fake Resend. */
export function startResend(): Promise<Fake> {
  const env = {
    RESEND_PORT: '0',
    RESEND_API_KEY: RESEND.api_key,
    RESEND_WEBHOOK_SECRET: RESEND.webhook_secret,
  }
  type Entry = { email: { to: string; tags: { name: string; value: string }[] } }
  return startFake<Entry>('resend', env, ({ email: { to, tags } }) => ({
    messageId: tags.find(({ name }) => name === 'message_id')?.value ?? '',
    recipient: [to].flat().join(),
  }))
}

async function startFake<Entry>(
  name: string,
  env: Record<string, string>,
  read: (entry: Entry) => Accepted,
): Promise<Fake> {
  const script = fileURLToPath(new URL(`../fakes/${name}/serve.ts`, import.meta.url))
  const child = spawnChild(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
    signal: 'KILL',
    env: { ...(process.env as Record<string, string>), ...env },
  })
  const url = await until(`Start of ${name}`, 20_000, child, async () =>
    /simulator on (\S+)/.exec(child.output())?.at(1),
  )
  const control = (path: string, init?: RequestInit) => fetch(`${url}/__control/${path}`, init)
  return {
    url,
    setFault: async (fault) => {
      const init = fault ? { method: 'PUT', body: JSON.stringify(fault) } : { method: 'DELETE' }
      const { status } = await control('fault', init)
      if (status !== 204) throw new Error(`${name} does not take the fault: ${status}`)
    },
    accepted: async () => {
      const { accepted } = (await (await control('ledger')).json()) as { accepted: Entry[] }
      return accepted.map(read)
    },
    close: child.stop,
  }
}

/** Draws what goes wrong with a provider's next requests. */
export function drawFault(random: Random, provider: 'twilio' | 'resend'): Fault | null {
  const times = random.int(1, 6)
  const refusal: Fault = { kind: 'reject', status: 400, code: 21211, times: random.int(1, 2) }
  return random.weighted<Fault | null>([
    [null, 3],
    [{ kind: 'hang', times: random.int(1, 2) }, 2],
    [{ kind: 'reset', times }, 3],
    [{ kind: 'error_before', times }, 2],
    [{ kind: 'error_after', times }, 3],
    [{ kind: 'garbage', times: 1 }, 1],
    [{ kind: 'rate_limit', retryAfter: random.pick([1, 2, 60]), times }, 3],
    [{ kind: 'slow', ms: random.int(10, 120) }, 2],
    // Resend checks an idempotency key before anything else: it never refuses what it once accepted.
    [refusal, provider === 'twilio' ? 1 : 0],
  ])
}
