/**
 * What an integration's secrets are bound to: the origin of its base URL (scheme, host, port), Twilio's account SID.
 * Empty where the deployment sets the address (Resend, an AI without a base URL) or there is none yet.
 * @param config the integration's fields, as they are stored
 */
export function addressOf(type: string, config: unknown): string {
  const fields = (typeof config === 'object' && config !== null ? config : {}) as Record<string, unknown>
  const value = fields[type === 'twilio' ? 'account_sid' : 'base_url']
  if (typeof value !== 'string') return ''
  return type === 'twilio' ? value.trim() : (URL.parse(value)?.origin ?? value)
}
