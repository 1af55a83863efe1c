import 'server-only'
import { renderNotification } from './notifications/render'
import { notificationSchema } from './notifications/schema'
import type { Claimed, ClaimedBatch } from './queue'
import { renderMessages } from './render'
import type { Content, Template } from './schema'
import { TemplateError } from './template'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-link'

/** The content of each message of a batch, or why it cannot be rendered. */
export async function contentsOf(
  { messages, templates }: ClaimedBatch,
  organizationId: string,
): Promise<(Content | TemplateError)[]> {
  const sources = new Map(templates.map((template) => [template.id, template]))
  const contents = new Map<Claimed, Content | TemplateError>()
  const automated: { message: Claimed; template: Template; url: string | null }[] = []
  for (const message of messages) {
    const { automation_id, content, frozen, channel, recipient: address } = message
    const template = automation_id === null ? undefined : sources.get(automation_id)
    // What was frozen goes out as it was.
    if (frozen) contents.set(message, content)
    else if (!template) contents.set(message, 'template' in content ? noticeOf(content) : content)
    else automated.push({ message, template, url: unsubscribeUrl({ organizationId, channel, address }) })
  }
  const rendered = await renderMessages(
    'outbox',
    automated.map(({ message: { channel, facts }, template, url }) => {
      return { template, channel, facts, unsubscribeUrl: url ?? undefined }
    }),
  )
  for (const [index, { message, url }] of automated.entries()) {
    const content = rendered[index] ?? new TemplateError('not rendered', null)
    contents.set(message, content instanceof TemplateError ? content : withHeaders(message, content, url))
  }
  return messages.map((message) => contents.get(message) ?? new TemplateError('no content', null))
}

function withHeaders({ kind, channel }: Claimed, content: Content, url: string | null): Content {
  const needsHeaders = url !== null && kind === 'marketing' && channel === 'email'
  return needsHeaders ? { ...content, headers: unsubscribeHeaders(url) } : content
}

/** What the jobs of calendar and tickets queue is data; it is put into words only now. */
function noticeOf(content: Record<string, unknown>): Content | TemplateError {
  const parsed = notificationSchema.safeParse(content)
  if (!parsed.success) return new TemplateError('not a notification', null)
  const { subject, text } = renderNotification(parsed.data)
  const notice = { subject, body: text }
  return 'event_datetime' in parsed.data ? { ...notice, expires_at: parsed.data.event_datetime } : notice
}
