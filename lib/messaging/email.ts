import 'server-only'
import { layOut } from './email-layout'
import type { OutboundMessage } from './provider'

interface Sender {
  fromEmail: string
  fromName: string | null
}

/**
 * The e-mail of a message as Resend's SDK takes it. The same message gives the same e-mail at every attempt: another
 * body under the same idempotency key is refused (409) and ends as unknown, should the layout change in between.
 */
export async function emailOf({ id, recipient, content }: OutboundMessage, sender: Sender) {
  const { subject = '', body = '', headers = {} } = content
  const farewell = unsubscribeUrl(headers)
  const shown = farewell === null || body.includes(farewell)
  const html = await layOut({
    body: htmlOf(body),
    sender: sender.fromName && escaped(sender.fromName),
    unsubscribeUrl: shown ? null : escaped(farewell),
  })
  return {
    from: sender.fromName ? `${displayName(sender.fromName)} <${sender.fromEmail}>` : sender.fromEmail,
    to: recipient,
    subject,
    text: shown ? body : `${body}\n\n--\nDarse de baja · Unsubscribe: ${farewell}\n`,
    html,
    headers,
    tags: [{ name: 'message_id', value: id }],
  }
}

function unsubscribeUrl(headers: Record<string, string>): string | null {
  return /<(https?:[^>]+)>/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? null
}

/** A name with anything but letters, digits and spaces stands in quotes (RFC 5322). */
function displayName(name: string): string {
  const line = name.replace(/\s+/g, ' ').trim()
  return /^[\p{L}\p{N} ]+$/u.test(line) ? line : `"${line.replace(/["\\]/g, '\\$&')}"`
}

/** Plain text as HTML: paragraphs, line breaks, addresses as links. */
function htmlOf(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p style="margin:0 0 16px">${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/)
    .map((part, index) =>
      index % 2 === 1 ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part),
    )
    .join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
