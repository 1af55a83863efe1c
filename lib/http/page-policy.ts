import { isDevelopment } from '@/lib/env'

/** The request header in which proxy.ts passes the page the nonce of its scripts. */
export const NONCE_HEADER = 'x-nonce'

/**
 * The Content-Security-Policy of a page: scripts with this nonce and scripts that these load, images also from where
 * they are stored (`files`, an address, or empty), everything else from this host only, and no framing. Style attributes are allowed, because charts and timelines need them; style sheets are
 * not.
 */
export function pagePolicy({
  nonce,
  https,
  files,
}: {
  nonce: string
  https: boolean
  files: string
}): string {
  const own = "'self'"
  const directives: Record<string, string> = {
    'default-src': "'none'",
    // In development React debugs with eval, and Next swaps styles in without a nonce.
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${isDevelopment() ? " 'unsafe-eval'" : ''}`,
    'style-src': isDevelopment() ? `${own} 'unsafe-inline'` : `${own} 'nonce-${nonce}'`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': `${own} data: ${files}`,
    'font-src': own,
    'connect-src': own,
    'worker-src': own,
    'manifest-src': own,
    'form-action': own,
    'base-uri': "'none'",
    'object-src': "'none'",
    'frame-ancestors': "'none'",
    // Over http, as in the demo, it would redirect every form and script to a port where no server listens.
    ...(https ? { 'upgrade-insecure-requests': '' } : {}),
  }
  return Object.entries(directives)
    .map((directive) => directive.join(' ').trim())
    .join('; ')
}
