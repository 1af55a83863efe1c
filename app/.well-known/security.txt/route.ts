import { securityText } from '@/lib/security-text'

/** Where to report a weakness of this installation; 404 while SECURITY_CONTACT is not set. */
export function GET(): Response {
  const text = securityText(new Date())
  if (text === null) return new Response(null, { status: 404 })
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
