import { createHmac } from 'node:crypto'

// A test may stop this process's clock, or set it back; PostgREST's goes on.
const LIFETIME_SECONDS = 24 * 3600

/** A source of HS256 JWTs with just a role: what hosted Supabase makes of an API key. */
export function roleTokens(secret: string): (role: string) => string {
  const cache = new Map<string, { token: string; renewAt: number }>()
  return (role) => {
    const now = Math.floor(Date.now() / 1000)
    const known = cache.get(role)
    if (known && known.renewAt > now) return known.token
    const token = sign({ role, iat: now, exp: now + LIFETIME_SECONDS }, secret)
    cache.set(role, { token, renewAt: now + LIFETIME_SECONDS / 2 })
    return token
  }
}

function sign(claims: Record<string, unknown>, secret: string): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}
