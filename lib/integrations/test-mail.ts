import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Session } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import type { Outcome } from '@/lib/messaging/provider'
import { resendProvider } from '@/lib/messaging/resend'
import { remembered, testAndRemember } from './remember-test'
import type { TestReason, TestResult } from './schema'
import { resend } from './services/resend'
import { readStored } from './services/stored'

/** The outcome of a test mail, with the address it went to. */
export type TestMailResult = TestResult & { to: string }

/**
 * Sends a test mail to the caller with the stored settings of Resend, enabled or not, after testing the connection. The
 * outcome of both is kept.
 * @returns success when Resend accepted the mail; else why not
 */
export function sendTestMail(
  session: Pick<Session, 'organization' | 'db' | 'user_id' | 'role' | 'email'>,
): Promise<TestMailResult> {
  return remembered(session, 'mail', async () => {
    const to = session.email
    const connection = await testAndRemember(session, 'resend')
    return { ...(connection.success ? await send(session) : connection), to }
  })
}

async function send({ organization, email }: Pick<Session, 'organization' | 'email'>): Promise<TestResult> {
  const config = await readStored(resend, serviceDb(), organization.id)
  if (!config) return failed('not_configured')
  const id = randomUUID()
  const message = {
    ...{ id, channel: 'email' as const, recipient: email },
    ...{ content: contentOf(organization.name), idempotencyKey: `test-mail-${id}` },
  }
  const [outcome] = await resendProvider({ ...config, baseUrl: env().RESEND_BASE_URL }).send([message])
  if (outcome?.kind === 'accepted') return { success: true }
  return failed(reasonOf(outcome))
}

const failed = (reason: TestReason): TestResult => ({
  success: false,
  reason,
  error: `the test mail was not accepted: ${reason}`,
})

/** The connection was fine a moment ago: what is refused now is the sender. */
function reasonOf(outcome: Outcome | undefined): TestReason {
  switch (outcome && 'reason' in outcome ? outcome.reason : undefined) {
    case 'provider_auth':
    case 'provider_config':
      return 'domain_not_verified'
    case 'provider_quota':
      return 'quota'
    case 'provider_rate_limit':
      return 'rate_limited'
    case 'provider_unreachable':
      return 'unreachable'
    case 'provider_timeout':
    case 'provider_connection_lost':
      return 'timeout'
    case 'invalid_address':
    case 'content_rejected':
      return 'refused'
    default:
      return 'http_status'
  }
}

function contentOf(organization: string) {
  // On one line: it becomes the subject.
  const group = organization.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const body = [
    'Hola:',
    '',
    `Este es un correo de prueba de Sobremesa para ${group}. Si lo lees en tu bandeja de entrada, los correos del grupo salen y llegan. Si estaba en la carpeta de spam, revisa el dominio del remitente en Resend.`,
    '',
    'No hace falta hacer nada más.',
    '',
    `This is a test mail of Sobremesa for ${group}. If you read it in your inbox, the group’s e-mail works. If it was in the spam folder, look at the sender’s domain in Resend.`,
  ].join('\n')
  return { subject: `Correo de prueba de ${group}`.slice(0, 150).toWellFormed(), body }
}
