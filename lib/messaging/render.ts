import 'server-only'
import type { Channel, Content, Facts, Template } from './schema'
import { renderTemplates, type TemplateError, type TemplateUse } from './template'
import { variablesOf } from './variables'

/** A message to be put into words. */
export interface Rendering {
  template: Template
  channel: Channel
  facts: Facts
  unsubscribeUrl?: string
}

/**
 * Renders automations' templates, many at once. What they render is plain text; making HTML of an e-mail is its
 * provider's job.
 * @returns each message's content, or why it has none
 */
export async function renderMessages(
  use: TemplateUse,
  messages: Rendering[],
): Promise<(Content | TemplateError)[]> {
  const items = messages.map((message) => ({
    texts: textsOf(message),
    variables: variablesOf(message.facts, message.unsubscribeUrl),
  }))
  const rendered = await renderTemplates(use, items)
  return messages.map((message, index) => {
    const texts = rendered[index] ?? []
    return texts instanceof Error ? texts : contentOf(message, texts)
  })
}

const isTwilios = ({ template, channel }: Rendering) =>
  channel === 'whatsapp' && template.content_sid !== null

function textsOf(message: Rendering): string[] {
  const { subject, body, content_variables } = message.template
  if (isTwilios(message)) return Object.values(content_variables)
  return message.channel === 'email' ? [body, subject ?? ''] : [body]
}

function contentOf(message: Rendering, texts: string[]): Content {
  const { content_sid, content_variables } = message.template
  if (content_sid !== null && isTwilios(message)) {
    const names = Object.keys(content_variables)
    return {
      content_sid,
      content_variables: Object.fromEntries(names.map((name, at) => [name, texts[at] ?? ''])),
    }
  }
  const [body = '', subject = ''] = texts
  // A line break in a subject would begin another header.
  return message.channel === 'email'
    ? { subject: subject.replace(/[\s\p{Cc}]+/gu, ' ').trim(), body }
    : { body }
}
