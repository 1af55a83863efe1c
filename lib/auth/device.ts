import 'server-only'
import Bowser from 'bowser'
import { env } from '@/lib/env'
import { clientNetwork } from './client-address'

const MAX_AGENT = 500
const MAX_NAME = 60
const MAX_PLACE = 120

/** The device of a sign-in, coarse: enough to recognize it, not to track anyone. */
interface Device {
  /** Such as `Chrome`; null when unknown. */
  browser: string | null
  /** `Windows`, `iOS`. */
  system: string | null
  /** The /24 of an IPv4 address, the /48 of an IPv6 one; null where there is no address. */
  network: string | null
  /** Such as `Madrid, ES`; null unless Vercel sends it. */
  place: string | null
}

/** The device of a request, without versions: after an update it is still the same device. */
export function deviceOf(request: Request): Device {
  const agent = (request.headers.get('user-agent') ?? '').slice(0, MAX_AGENT)
  // Bowser throws for an empty text.
  const { browser, os } = Bowser.parse(agent || '-')
  return {
    browser: named(browser.name),
    system: named(os.name),
    network: coarse(clientNetwork(request)),
    place: env().VERCEL ? placeOf(request.headers) : null,
  }
}

const named = (name: string | undefined) => name?.slice(0, MAX_NAME) || null

function coarse(network: string): string | null {
  if (network === 'unknown') return null
  if (!network.includes(':')) return `${network.split('.').slice(0, 3).join('.')}.0/24`
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Vercel sets these headers and drops a client's own. The city is percent-encoded. */
function placeOf(headers: Headers): string | null {
  const parts = [decoded(headers.get('x-vercel-ip-city')), headers.get('x-vercel-ip-country')]
  const place = parts
    .filter(Boolean)
    .join(', ')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
  return place.slice(0, MAX_PLACE).toWellFormed() || null
}

function decoded(value: string | null): string | null {
  try {
    return value && decodeURIComponent(value)
  } catch {
    return null
  }
}
