import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { log } from '@/lib/log'
import type { Outcome, Provider } from '@/lib/messaging/provider'
import { providersFor, sandbox } from '@/lib/messaging/providers'
import type { InvitationLink } from './schema'

/**
 * Mails the link to the invited person, bypassing the outbox: the token must not be stored with messages. Never throws.
 * @returns whether the mail was sent
 */
export async function mailInvitation(
  { organization, full_name }: Pick<Session, 'organization' | 'full_name'>,
  invitation: { email: string; url: string; expires_at: string },
): Promise<InvitationLink['mail']> {
  // The link must not use the request's host, which a client can forge.
  if (env().PUBLIC_URL === '') return 'no_app_url'
  try {
    const provider = (await providersFor(serviceDb(), organization.id)).email
    if (!provider) return 'no_provider'
    const content = contentOf(invitation, { organization: organization.name, inviter: full_name })
    const id = randomUUID()
    const message = {
      ...{ id, channel: 'email' as const, recipient: invitation.email },
      ...{ content, idempotencyKey: `invitation-${id}` },
    }
    const [outcome] = await provider.send([message])
    return mailOutcome(provider, outcome)
  } catch (error) {
    log().error({ err: error }, 'the invitation could not be mailed')
    return 'unknown'
  }
}

function mailOutcome(provider: Provider, outcome: Outcome | undefined): InvitationLink['mail'] {
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

function contentOf(
  { url, expires_at }: { url: string; expires_at: string },
  { organization, inviter }: { organization: string; inviter: string | null },
) {
  const group = plain(organization)
  const dayIn = (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: 'Europe/Madrid',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    }).format(new Date(expires_at))
  const body = [
    'Hola:',
    '',
    inviter
      ? `${plain(inviter)} le invita a trabajar en Sobremesa con ${group}.`
      : `Le invitan a trabajar en Sobremesa con ${group}.`,
    '',
    'Cree su cuenta en este enlace, con la dirección a la que llega este correo:',
    url,
    '',
    `El enlace es solo para usted, vale una vez y hasta el ${dayIn('es-ES')}. Si no esperaba este correo, no haga nada.`,
    '',
    `You are invited to work with ${group} in Sobremesa. Create your account with the link above: it is for you alone, and works once, until ${dayIn('en-GB')}.`,
    '',
    group,
  ].join('\n')
  return { subject: `Invitación a ${group}`.slice(0, 150).toWellFormed(), body }
}

/** A name on one line, without text that mail programs turn into a link. */
function plain(name: string): string {
  return name.replace(/[\s\p{Cc}]+|\/+|\.(?=\S)/gu, ' ').trim()
}
