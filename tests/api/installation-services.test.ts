import { expect, it } from 'vitest'
import { connectPms } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import {
  type Cases,
  check,
  DATABASE,
  describeInstallation,
  expectRight,
  type Installation,
} from '../support/installation'

// One fault at a time in what an installation uses, made where it would really be: at Supabase's gateway, in the
// database, or at a provider.
let here: Installation
let auth: Record<string, unknown>
let schemaText: string

const sql = (query: string, parameters?: unknown[]) => here.app.stack.sql(query, parameters)

const authSays = (change: object) => async () =>
  here.front.replies.set('/auth/v1/settings', { status: 200, body: JSON.stringify({ ...auth, ...change }) })
const frontIsClear = async () => here.front.replies.clear()
const webhooksAreHeard = () => sql('update public.webhook_calls set heard_at = now(), refused_at = null')
/** Other keys; the provider has called since, by these. */
const reconnect = async (type: 'resend' | 'twilio', settings: Parameters<typeof connect>[3]) => {
  await connect(here.app.stack, here.group.id, type, settings)
  await webhooksAreHeard()
}
const config = (type: string, change: object) => async () =>
  sql(
    `update public.integration_configs set config = config || $2::jsonb
     where integration_type = $1 and organization_id = '${here.group.id}'`,
    [type, JSON.stringify(change)],
  )
const states = (body: string) => () =>
  sql(`create or replace function public.installation_state() returns jsonb language sql as $$ ${body} $$`)

async function bucket(method: string) {
  const path = method === 'DELETE' ? '/email-images' : ''
  const apikey = here.app.stack.keys.secretKey
  await fetch(`${here.front.url}/storage/v1/bucket${path}`, { method, headers: { apikey } })
}

const cases: Cases = {
  'open sign-up': () => ({
    id: 'sign_ups',
    break: authSays({ disable_signup: false }),
    mend: frontIsClear,
    says: [/deja registrarse a cualquiera/, /lets anybody sign up/],
  }),
  'e-mails that need no confirmation': () => ({
    id: 'confirmation',
    break: authSays({ mailer_autoconfirm: true }),
    mend: frontIsClear,
    says: [/da por confirmado cualquier correo/, /takes every e-mail for confirmed/],
  }),
  'no sign-in by password': () => ({
    id: 'password_sign_in',
    break: authSays({ external: { email: false } }),
    mend: frontIsClear,
    says: [/nadie puede entrar/, /nobody can sign in/],
  }),
  'an Auth that gives no answer': () => ({
    id: 'sign_ups',
    state: 'unknown',
    break: async () => here.front.replies.set('/auth/v1/settings', null),
    mend: frontIsClear,
    says: [/Supabase Auth no ha respondido/, /Supabase Auth has not answered/],
    also: ['publishable_key', 'confirmation', 'password_sign_in'],
  }),
  'a database that gives no answer': () => ({
    id: 'schema',
    state: 'unknown',
    break: async () => here.front.replies.set('/rest/v1/', null),
    mend: frontIsClear,
    says: [/Supabase no ha respondido/, /Supabase has not answered/],
    also: DATABASE,
  }),
  'no schema': () => ({
    id: 'schema',
    break: async () => {
      const missing = (code: string) => ({ status: 404, body: JSON.stringify({ code, message: 'x' }) })
      here.front.replies.set('/rest/v1/rpc/', missing('PGRST202'))
      here.front.replies.set('/rest/v1/', missing('42P01'))
    },
    mend: frontIsClear,
    says: [/está vacía: no tiene las tablas/, /is empty: it has no tables/],
    also: ['region', 'clock', 'secrets_key', 'setup_token', 'cron'],
  }),
  'an old schema': () => ({
    id: 'schema',
    break: states(`select jsonb_build_object('version', '20261120000100', 'now', clock_timestamp())`),
    mend: () => sql(schemaText),
    says: [/faltan migraciones de esta versión/, /lacks migrations of this version/],
  }),
  'a schema of a later version': () => ({
    id: 'schema',
    break: states(`select jsonb_build_object('version', '20991120000100', 'now', clock_timestamp())`),
    mend: () => sql(schemaText),
    says: [/migraciones más nuevas \(20991120000100\)/, /newer migrations \(20991120000100\)/],
  }),
  'a scheduler that stopped': () => ({
    id: 'cron',
    break: () => sql(`update public.job_runs set started_at = now() - interval '95 minutes'`),
    mend: () => sql('update public.job_runs set started_at = now()'),
    says: [/no llama desde hace 95 minutos/, /has not called for 95 minutes/],
  }),
  'a scheduler that never called, beside syncs by hand': () => ({
    id: 'cron',
    break: () => sql(`update public.job_runs set job = 'sync'`),
    mend: () => sql(`update public.job_runs set job = 'automations'`),
    says: [/no ha llamado nunca/, /has never called/],
  }),
  'webhooks with a wrong signature': () => ({
    id: 'twilio_webhook',
    break: () =>
      sql(`update public.webhook_calls set heard_at = now() - interval '2 days', refused_at = now()
           where provider = 'twilio'`),
    mend: webhooksAreHeard,
    says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
  }),
  'a wrong signature soon after a right one, which anybody can send': () => ({
    id: 'twilio_webhook',
    state: 'unknown',
    break: () =>
      sql(`update public.webhook_calls set heard_at = now() - interval '23 hours', refused_at = now()
           where provider = 'twilio'`),
    mend: webhooksAreHeard,
    says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
  }),
  'a wrong signature, and never a right one': () => ({
    id: 'twilio_webhook',
    break: () =>
      sql(`update public.webhook_calls set heard_at = null, refused_at = now() where provider = 'twilio'`),
    mend: webhooksAreHeard,
    says: [/venía mal firmado y se rechazó/, /had a wrong signature and was refused/],
  }),
  'a webhook that was never heard': () => ({
    id: 'resend_webhook',
    state: 'unknown',
    break: () => sql(`update public.webhook_calls set heard_at = null where provider = 'resend'`),
    mend: webhooksAreHeard,
    says: [/\/api\/webhooks\/resend/, /\/api\/webhooks\/resend/],
  }),
  'no key for the webhook of Resend': () => ({
    id: 'resend_webhook',
    break: () =>
      reconnect('resend', {
        api_key: RESEND.api_key,
        from_email: RESEND.from_email,
        from_name: RESEND.from_name,
      }),
    mend: () => reconnect('resend', RESEND),
    says: [/Falta la clave con la que firma/, /The key that signs is missing/],
  }),
  'no e-mail provider': () => ({
    id: 'mailer',
    break: () =>
      sql(`update public.integration_configs set is_enabled = false where integration_type = 'resend'`),
    mend: () => sql('update public.integration_configs set is_enabled = true'),
    says: [/no tiene correo conectado/, /has no e-mail connected/],
  }),
  'a wrong key of Resend': () => ({
    id: 'mailer',
    break: () => reconnect('resend', { ...RESEND, api_key: 're_123' }),
    mend: () => reconnect('resend', RESEND),
    says: [/Resend no acepta la clave/, /Resend does not accept the key/],
  }),
  'a sender of another domain': () => ({
    id: 'mailer',
    break: config('resend', { from_email: 'hola@otro.example' }),
    mend: config('resend', { from_email: RESEND.from_email }),
    says: [/dominio del correo del remitente no está verificado/, /domain of the sender.* is not verified/],
  }),
  'a wrong token of Twilio': () => ({
    id: 'twilio',
    break: () => reconnect('twilio', { ...TWILIO, auth_token: 'wrong' }),
    mend: () => reconnect('twilio', TWILIO),
    says: [/Twilio no acepta la clave/, /Twilio does not accept the key/],
  }),
  'a suspended account of Twilio': () => ({
    id: 'twilio',
    break: async () => Object.assign(here.twilio.account, { status: 'suspended' }),
    mend: async () => Object.assign(here.twilio.account, { status: 'active' }),
    says: [/suspendida o cerrada/, /suspended or closed/],
  }),
  'an SMS sender of twenty letters': () => ({
    id: 'sms_sender',
    break: config('twilio', { sms_from: 'RestaurantesDeLumbre' }),
    mend: config('twilio', { sms_from: TWILIO.sms_from }),
    says: [/RestaurantesDeLumbre no es un remitente válido/, /RestaurantesDeLumbre is not a valid sender/],
    also: ['twilio'],
  }),
  'an SMS sender of seven digits, which no short code has': () => ({
    id: 'sms_sender',
    break: config('twilio', { sms_from: '1234567' }),
    mend: config('twilio', { sms_from: TWILIO.sms_from }),
    says: [/1234567 no es un remitente válido/, /1234567 is not a valid sender/],
    also: ['twilio'],
  }),
  'a WhatsApp sender that is a name': () => ({
    id: 'whatsapp_sender',
    break: config('twilio', { whatsapp_from: 'Lumbre' }),
    mend: config('twilio', { whatsapp_from: TWILIO.whatsapp_from }),
    says: [/Lumbre no es un remitente válido/, /Lumbre is not a valid sender/],
    also: ['twilio'],
  }),
  'a wrong key of the PMS': () => ({
    id: 'pms',
    break: () => connectPms(here.app.stack, here.group.id, here.pms.url, 'wrong'),
    mend: () => connectPms(here.app.stack, here.group.id, here.pms.url),
    says: [/sistema de reservas no acepta la clave/, /reservation system does not accept the key/],
  }),
  'a language model without credit': () => ({
    id: 'ai',
    break: async () => here.openai.setFault({ kind: 'no_credit' }),
    mend: async () => here.openai.setFault(null),
    says: [/no tiene saldo/, /no credit/],
  }),
  'no bucket for images': () => ({
    id: 'storage',
    break: () => bucket('DELETE'),
    mend: () => bucket('POST'),
    says: [/No está el almacén email-images/, /bucket email-images is not there/],
  }),
  'a private bucket': () => ({
    id: 'storage',
    break: async () =>
      here.front.replies.set('/storage/v1/bucket/', {
        status: 200,
        body: '{"id":"email-images","public":false}',
      }),
    mend: frontIsClear,
    says: [/almacén email-images es privado/, /bucket email-images is private/],
  }),
  'a Storage that is switched off': () => ({
    id: 'storage',
    state: 'unknown',
    break: async () => here.front.replies.set('/storage/v1/', { status: 503, body: '{}' }),
    mend: frontIsClear,
    says: [/Supabase Storage no ha respondido/, /Supabase Storage has not answered/],
  }),
}

async function begin(started: Installation) {
  here = started
  const apikey = here.app.stack.keys.publishableKey
  const answer = await fetch(`${here.front.url}/auth/v1/settings`, { headers: { apikey } })
  auth = (await answer.json()) as typeof auth
  const [row] = await here.app.stack.sql<{ text: string }>(
    `select pg_get_functiondef('public.installation_state'::regproc) as text`,
  )
  schemaText = row?.text ?? ''
}

describeInstallation('an installation’s services', { begin, cases }, () => {
  it.each(['Tapas&Co', 'MGrill', '255555'])('takes the SMS sender %s, as the form does', async (sms_from) => {
    await config('twilio', { sms_from })()
    const lines = await check()
    await config('twilio', { sms_from: TWILIO.sms_from })()
    expectRight(lines)
    expect(lines.find(({ id }) => id === 'sms_sender')).toMatchObject({
      state: 'right',
      detail: sms_from,
    })
  })
})
