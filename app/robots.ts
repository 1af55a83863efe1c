import type { MetadataRoute } from 'next'

/**
 * Crawlers may ask for everything, and index nothing: every answer says `X-Robots-Tag: noindex` (next.config.ts). What
 * this file disallowed, they would not ask for, would never read that, and would list the bare address of a link that
 * someone published.
 */
export default function robots(): MetadataRoute.Robots {
  return { rules: { userAgent: '*', allow: '/' } }
}
