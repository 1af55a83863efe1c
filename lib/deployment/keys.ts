import 'server-only'
import { safeBaseUrl } from '@/lib/address/address'
import { RefusedAddress } from '@/lib/address/refusals'
import { env } from '@/lib/env'
import type { AuthSettings } from '@/lib/health/fault'
import { type Line, right, unknown, wrong } from './lines'

/** What a key of Supabase says of itself: its kind by prefix (new format) or by the role in the token (legacy); null: neither. */
function kindOfKey(key: string): { kind: 'publishable' | 'secret'; legacy: boolean } | null {
  if (key.startsWith('sb_publishable_')) return { kind: 'publishable', legacy: false }
  if (key.startsWith('sb_secret_')) return { kind: 'secret', legacy: false }
  const role = roleIn(key)
  if (role === 'anon') return { kind: 'publishable', legacy: true }
  return role === 'service_role' ? { kind: 'secret', legacy: true } : null
}

function roleIn(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).role
  } catch {
    return null
  }
}

/** The address of the project. */
export function addressLine(): Line {
  const { SUPABASE_URL, ALLOW_LOOPBACK_UPSTREAMS } = env()
  try {
    safeBaseUrl(SUPABASE_URL, ALLOW_LOOPBACK_UPSTREAMS)
    return right('supabase_url', 'address_right')
  } catch (error) {
    const isInside = error instanceof RefusedAddress && error.reason !== 'scheme'
    return wrong('supabase_url', isInside ? 'address_inside' : 'http_only', { detail: 'SUPABASE_URL' })
  }
}

/** The publishable key: by its form, and by Auth's answer to it. */
export function publishableKeyLine(auth: AuthSettings | 'refused' | null): Line {
  const detail = 'SUPABASE_PUBLISHABLE_KEY'
  if (kindOfKey(env().SUPABASE_PUBLISHABLE_KEY)?.kind === 'secret')
    return wrong('publishable_key', 'key_of_other_kind', { detail })
  if (auth === 'refused') return wrong('publishable_key', 'key_refused', { detail })
  return auth
    ? right('publishable_key', 'key_accepted', { detail })
    : unknown('publishable_key', 'no_answer', { detail: 'Supabase Auth' })
}

/** The secret key: by its form, and by the database's answer to it; with what hosted Supabase believes of it. */
export function secretKeyLines(answer: 'accepted' | 'refused' | 'silent'): Line[] {
  const detail = 'SUPABASE_SECRET_KEY'
  const form = kindOfKey(env().SUPABASE_SECRET_KEY)
  const forwarding =
    form?.kind === 'secret' && form.legacy
      ? wrong('address_forwarding', 'forwarding_impossible', { detail })
      : unknown('address_forwarding', 'forwarding_unseen')
  if (form?.kind === 'publishable') return [wrong('secret_key', 'key_of_other_kind', { detail }), forwarding]
  if (answer === 'refused') return [wrong('secret_key', 'key_refused', { detail }), forwarding]
  if (answer === 'silent') return [unknown('secret_key', 'no_answer', { detail: 'Supabase' }), forwarding]
  return [right('secret_key', 'key_accepted', { detail }), forwarding]
}

/** What Auth tells everybody of its settings. */
export function authLines(auth: AuthSettings | 'refused' | null): Line[] {
  const ids = ['sign_ups', 'confirmation', 'password_sign_in'] as const
  if (!auth || auth === 'refused')
    return ids.map((id) => unknown(id, 'no_answer', { detail: 'Supabase Auth' }))
  return [
    auth.disable_signup ? right('sign_ups', 'sign_ups_off') : wrong('sign_ups', 'sign_ups_on'),
    auth.mailer_autoconfirm
      ? wrong('confirmation', 'confirmation_off')
      : right('confirmation', 'confirmation_on'),
    auth.external.email
      ? right('password_sign_in', 'password_sign_in_on')
      : wrong('password_sign_in', 'password_sign_in_off'),
  ]
}

/** The settings of this deployment that no one else knows. `hasGroup`: null when the database does not tell. */
export function settingLines(hasGroup: boolean | null): Line[] {
  const { CRON_SECRET, SETUP_TOKEN, VAPID_PUBLIC_KEY, MESSAGE_SANDBOX, ALLOW_LOOPBACK_UPSTREAMS, VERCEL } =
    env()
  return [
    CRON_SECRET === ''
      ? wrong('cron_secret', 'cron_secret_blank', { detail: 'CRON_SECRET' })
      : right('cron_secret', 'set', { detail: 'CRON_SECRET' }),
    setupTokenLine(SETUP_TOKEN !== '', hasGroup),
    VAPID_PUBLIC_KEY === ''
      ? right('push_keys', 'push_off')
      : right('push_keys', 'set', { detail: 'VAPID_PUBLIC_KEY' }),
    MESSAGE_SANDBOX
      ? wrong('sandbox', 'sandbox_on', { detail: 'MESSAGE_SANDBOX' })
      : right('sandbox', 'sandbox_off'),
    ...(ALLOW_LOOPBACK_UPSTREAMS && VERCEL
      ? [wrong('loopback', 'loopback_on', { detail: 'ALLOW_LOOPBACK_UPSTREAMS' })]
      : []),
  ]
}

function setupTokenLine(isSet: boolean, hasGroup: boolean | null): Line {
  if (hasGroup === null) return unknown('setup_token', 'no_answer', { detail: 'Supabase' })
  if (hasGroup) return right('setup_token', 'setup_token_unneeded')
  const detail = 'SETUP_TOKEN'
  return isSet
    ? right('setup_token', 'set', { detail })
    : wrong('setup_token', 'setup_token_blank', { detail })
}
