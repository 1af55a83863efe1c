import 'server-only'
import type { Session } from '@/lib/auth/session'
import { plainName, sendAccountMail } from '@/lib/messaging/account-mail'
import type { InvitationLink } from './schema'

/**
 * Mails the link to the invited person. Never throws.
 * @returns whether the mail was sent
 */
export function mailInvitation(
  { organization, full_name }: Pick<Session, 'organization' | 'full_name'>,
  invitation: { email: string; url: string; expires_at: string },
): Promise<InvitationLink['mail']> {
  const content = contentOf(invitation, { organization, inviter: full_name })
  return sendAccountMail(organization.id, { kind: 'invitation', recipient: invitation.email, ...content })
}

function contentOf(
  { url, expires_at }: { url: string; expires_at: string },
  {
    organization: { name, timezone },
    inviter,
  }: { organization: Session['organization']; inviter: string | null },
) {
  const group = plainName(name)
  const dayIn = (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: timezone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
    }).format(new Date(expires_at))
  const body = [
    'Hola:',
    '',
    inviter
      ? `${plainName(inviter)} le invita a trabajar en Sobremesa con ${group}.`
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
  return { subject: `Invitación a ${group}`, body }
}
