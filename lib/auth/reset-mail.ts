import 'server-only'
import type { AuthError, User } from '@supabase/supabase-js'
import { anonymousDb } from '@/lib/db/anonymous'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import type { TestReason } from '@/lib/integrations/schema'
import { testProvider } from '@/lib/integrations/test-connection'
import { log } from '@/lib/log'
import { plainName, sendAccountMail } from '@/lib/messaging/account-mail'
import { nameInMessage } from '@/lib/messaging/variables'
import { lacksPath } from './create-account'

const PROBE_MS = 3000
const PROBE_HOLDS_MS = 60_000
const OPEN_HOLDS_MS = 5000
/** What says nothing about whether mail leaves. */
const NO_VERDICT = new Set<TestReason>(['rate_limited', 'not_found'])
/** The provider is silent now: it says nothing about the next mail. */
const SILENT = new Set<TestReason>(['timeout', 'unreachable', 'http_status'])

type Verdict = 'works' | 'open' | 'fails'
interface Probe {
  version: string
  until: number
  verdict: Promise<Verdict>
}
const probes = new Map<string, Probe>()

/**
 * Who sends links to a new password: the groups' own e-mail `provider`, Supabase `auth` (AUTH_MAILER=1, while no group
 * has a provider that works), or null: nobody. It depends on the deployment alone, so it reveals nothing about an
 * address. Of several groups with a provider none is asked whether it works. A provider that is silent counts only
 * where Auth does not mail.
 */
export async function resetMailer(): Promise<'provider' | 'auth' | null> {
  const { AUTH_MAILER, PUBLIC_URL } = env()
  const verdict = PUBLIC_URL === '' ? 'fails' : await verdictOnAll()
  if (verdict === 'works') return 'provider'
  if (AUTH_MAILER) return 'auth'
  return verdict === 'open' ? 'provider' : null
}

const providers = () =>
  serviceDb()
    .from('integration_configs')
    .select('organization_id, updated_at')
    .eq('integration_type', 'resend')
    .eq('is_enabled', true)

async function verdictOnAll(): Promise<Verdict> {
  const [one, other] = unwrap(await providers().order('id').limit(2)) ?? []
  if (!one) return 'fails'
  return other ? 'works' : probe(one.organization_id, one.updated_at)
}

/** Asks the provider once a minute at most: strangers cause it, and its limit is shared with the group's messages. */
function probe(organizationId: string, version: string): Promise<Verdict> {
  const kept = probes.get(organizationId)
  if (kept?.version === version && kept.until > Date.now()) return kept.verdict
  const verdict = testProvider('resend', organizationId, PROBE_MS).then((result): Verdict => {
    if (result.success || NO_VERDICT.has(result.reason)) return 'works'
    if (!SILENT.has(result.reason)) return 'fails'
    made.until = Date.now() + OPEN_HOLDS_MS
    return 'open'
  })
  const made: Probe = { version, until: Date.now() + PROBE_HOLDS_MS, verdict }
  probes.set(organizationId, made)
  return verdict
}

/** A link to /reset-password that works once, and the account it is for. */
interface ResetLink {
  path: string
  user: User
}

/** Makes a link to a new password for an account; an earlier link stops working. */
export async function makeResetLink(
  email: string,
): Promise<{ link: ResetLink; error: null } | { link: null; error: AuthError }> {
  const { data, error } = await serviceDb().auth.admin.generateLink({ type: 'recovery', email })
  if (error) return { link: null, error }
  const path = `/reset-password?token_hash=${encodeURIComponent(data.properties.hashed_token)}`
  return { link: { path, user: data.user }, error: null }
}

/**
 * Asks Auth for a link, or, by `auth` and for a group whose provider does not work, for a mail with one; not while a
 * link that was handed over is new. An unknown address is no error.
 */
export async function askForReset(
  mailer: 'provider' | 'auth',
  email: string,
): Promise<{ link: ResetLink | null; error: AuthError | null }> {
  const none = { link: null, error: null }
  if (await wasHandedOver(email)) return none
  if (mailer === 'provider' && env().AUTH_MAILER && !(await isServed(email))) {
    await mailByAuth(email)
    return none
  }
  const made = mailer === 'provider' ? await makeResetLink(email) : null
  if (made?.error?.code === 'user_not_found') return none
  if (made && !(made.error && lacksPath(made.error))) {
    if (made.error) await forgetMail(email)
    return made
  }
  const { error } = await anonymousDb().auth.resetPasswordForEmail(email)
  return { link: null, error }
}

/** Whether the person's group has a provider that works; true for a stranger, to whom nothing is mailed. */
async function isServed(email: string): Promise<boolean> {
  const group = await groupOf('email', email)
  if (!group) return true
  if ((refusedUntil.get(group.id) ?? 0) > Date.now()) return false
  const provider = unwrap(await providers().eq('organization_id', group.id).maybeSingle())
  return provider !== null && (await probe(group.id, provider.updated_at)) === 'works'
}

/** Has Auth mail a link. Its refusal is logged alone: in the answer it would tell that there is an account. */
async function mailByAuth(email: string): Promise<void> {
  const { error } = await anonymousDb().auth.resetPasswordForEmail(email)
  if (!error) return
  await forgetMail(email)
  log().warn({ code: error.code }, 'Auth did not mail a link to a new password')
}

const MAILS_AN_HOUR = 5
const HANDED_OVER_MS = 600_000

/**
 * Whether an address has had its mails: one within the minute, or five within the hour. The newest link goes on working,
 * and no other is made: else a stranger could void each link of somebody. Counts every address alike, with an account
 * or without.
 */
export async function hadMailJustNow(email: string): Promise<boolean> {
  return !(await take(minuteOf(email), 1, 60)) || !(await take(hourOf(email), MAILS_AN_HOUR, 3600))
}

/** Has no link mailed for ten minutes: it would void the one that was handed over. */
export async function keepHandedOver(email: string): Promise<void> {
  const now = Date.now()
  const row = {
    key: handedOver(email),
    window_start: new Date(now).toISOString(),
    expires_at: new Date(now + HANDED_OVER_MS).toISOString(),
  }
  unwrap(await serviceDb().from('attempt_limits').upsert(row))
}

/** Ends the wait once the link was used: if the person forgets the password again, another link is mailed at once. */
export async function endHandedOver(email: string): Promise<void> {
  unwrap(await serviceDb().from('attempt_limits').delete().eq('key', handedOver(email)))
}

async function wasHandedOver(email: string): Promise<boolean> {
  const now = new Date().toISOString()
  const found = serviceDb().from('attempt_limits').select('key').eq('key', handedOver(email))
  return unwrap(await found.gt('expires_at', now).maybeSingle()) !== null
}

const minuteOf = (email: string) => `reset-mail:minute:${email}`
const hourOf = (email: string) => `reset-mail:hour:${email}`
const handedOver = (email: string) => `reset-mail:handed-over:${email.toLowerCase()}`

async function take(key: string, most: number, seconds: number): Promise<boolean> {
  const parameters = { p_keys: [key], p_limits: [most], p_seconds: seconds }
  return !unwrap(await serviceDb().rpc('take_attempts', parameters))
}

/** Lets another mail follow at once: none left. */
async function forgetMail(email: string): Promise<void> {
  unwrap(
    await serviceDb()
      .from('attempt_limits')
      .delete()
      .in('key', [minuteOf(email), hourOf(email)]),
  )
}

const REFUSED_HOLDS_MS = 600_000
/** Until when Auth mails for a group whose provider refused a link: Auth refuses a second one within its minute. */
const refusedUntil = new Map<string, number>()

/**
 * Mails a link by the provider of the person's group: the one they work in, or are invited to. With AUTH_MAILER, Auth
 * mails another when that fails.
 */
export async function mailResetLink({ path, user }: ResetLink): Promise<void> {
  const { id, email: recipient = '' } = user
  const group = await groupOf('id', id, recipient)
  if (!group) return
  const content = contentOf(`${env().PUBLIC_URL}${path}`, group)
  const mail = await sendAccountMail(group.id, { kind: 'reset', recipient, ...content })
  if (mail === 'sent') return
  if (mail !== 'unknown') await forgetMail(recipient)
  log().warn({ organization_id: group.id, mail }, 'a link to a new password was not mailed')
  if (!env().AUTH_MAILER || (mail !== 'failed' && mail !== 'no_provider')) return
  refusedUntil.set(group.id, Date.now() + REFUSED_HOLDS_MS)
  await mailByAuth(recipient)
}

interface Addressee {
  id: string
  group: string
  name: string | null
}

async function groupOf(by: 'id' | 'email', value: string, email = value): Promise<Addressee | null> {
  const member = await serviceDb()
    .from('profiles')
    .select('full_name, organizations!profiles_organization_id_fkey(id, name)')
    .eq(by, value)
    .limit(1)
    .maybeSingle()
  const invited = await serviceDb()
    .from('invitations')
    .select('full_name, organizations(id, name)')
    .eq('email', email.toLowerCase())
    .is('accepted_at', null)
    .maybeSingle()
  const found = unwrap(member) ?? unwrap(invited)
  return found && { id: found.organizations.id, group: found.organizations.name, name: found.full_name }
}

function contentOf(url: string, { group, name }: Addressee) {
  const called = nameInMessage(name)
  const body = [
    called ? `Hola, ${called}:` : 'Hola:',
    '',
    `Alguien ha pedido una contraseña nueva para su cuenta de Sobremesa en ${plainName(group)}. Elíjala en este enlace:`,
    url,
    '',
    'El enlace vale una vez, durante una hora. Si no lo ha pedido usted, no haga nada: su contraseña sigue siendo la misma.',
    '',
    'Somebody asked for a new password for your Sobremesa account. Choose it with the link above: it works once, for one hour. If it was not you, do nothing: your password stays the same.',
    '',
    plainName(group),
  ].join('\n')
  return { subject: 'Su contraseña nueva · Your new password', body }
}
