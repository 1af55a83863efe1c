import 'server-only'
import { renderNotification } from './notifications/render'
import { notificationSchema } from './notifications/schema'
import type { Claimed, ClaimedBatch } from './queue'
import { compileTemplate, type Renderer } from './render'
import type { Content } from './schema'
import { TemplateError } from './template'
import { unsubscribeHeaders, unsubscribeUrl } from './unsubscribe-link'

/** Gives each message of a batch its content; throws TemplateError for what cannot be rendered. */
export function contentMaker(
  { templates }: ClaimedBatch,
  organizationId: string,
): (message: Claimed) => Content {
  const sources = new Map(templates.map((template) => [template.id, template]))
  const renderers = new Map<string, Renderer>()
  return (message) => {
    const { automation_id, content, frozen } = message
    // What was frozen goes out as it was.
    if (frozen) return content
    const source = automation_id === null ? undefined : sources.get(automation_id)
    if (!source) return 'template' in content ? noticeOf(content) : content
    const renderer = renderers.get(source.id) ?? compileTemplate(source)
    renderers.set(source.id, renderer)
    return fromTemplate(message, renderer, organizationId)
  }
}

function fromTemplate(
  { kind, channel, recipient, facts }: Claimed,
  renderer: Renderer,
  organizationId: string,
): Content {
  const url = unsubscribeUrl({ organizationId, channel, address: recipient })
  const content = renderer(channel, facts, url ?? undefined)
  const needsHeaders = url !== null && kind === 'marketing' && channel === 'email'
  return needsHeaders ? { ...content, headers: unsubscribeHeaders(url) } : content
}

/** What the jobs of calendar and tickets queue is data; it is put into words only now. */
function noticeOf(content: Record<string, unknown>): Content {
  const parsed = notificationSchema.safeParse(content)
  if (!parsed.success) throw new TemplateError('not a notification', null)
  const { subject, text } = renderNotification(parsed.data)
  const notice = { subject, body: text }
  return 'event_datetime' in parsed.data ? { ...notice, expires_at: parsed.data.event_datetime } : notice
}
