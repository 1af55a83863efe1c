import 'server-only'
import { randomUUID } from 'node:crypto'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import type { Outcome, Provider } from './provider'
import { providersFor, sandbox } from './providers'

/** What became of a mail that carries a link to an account. `simulated`: taken by the sandbox, which sends nothing. */
type AccountMailOutcome = 'sent' | 'simulated' | 'failed' | 'unknown' | 'no_provider' | 'no_app_url'

/**
 * Sends a mail with a secret link by the organization's own e-mail provider, bypassing the outbox: the link must not be
 * stored with messages. Never throws; a failure is logged without the address and the text.
 * @param mail `kind` begins the provider's idempotency key: `invitation`
 */
export async function sendAccountMail(
  organizationId: string,
  mail: { kind: string; recipient: string; subject: string; body: string },
): Promise<AccountMailOutcome> {
  const { kind, recipient, subject, body } = mail
  // The link must not use the request's host, which a client can forge.
  if (env().PUBLIC_URL === '') return 'no_app_url'
  try {
    const provider = (await providersFor(serviceDb(), organizationId)).email
    if (!provider) return 'no_provider'
    const id = randomUUID()
    const content = { subject: subject.slice(0, 150).toWellFormed(), body }
    const message = { id, channel: 'email' as const, recipient, content, idempotencyKey: `${kind}-${id}` }
    const [outcome] = await provider.send([message])
    return meaningOf(provider, outcome)
  } catch (error) {
    log().error({ err: error, kind }, 'a mail with a link could not be sent')
    return 'unknown'
  }
}

function meaningOf(provider: Provider, outcome: Outcome | undefined): AccountMailOutcome {
  switch (outcome?.kind) {
    case 'accepted':
      return provider === sandbox ? 'simulated' : 'sent'
    case 'permanent':
    case 'retryable':
      return 'failed'
    default:
      return 'unknown'
  }
}

/** A name on one line, without text that mail programs turn into a link. */
export function plainName(name: string): string {
  return name.replace(/[\s\p{Cc}]+|\/+|\.(?=\S)/gu, ' ').trim()
}
