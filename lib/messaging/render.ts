import 'server-only'
import type { Channel, Content, Facts, Template } from './schema'
import { parseTemplate, renderTemplate } from './template'
import { variablesOf } from './variables'

/** Renders a template for one person after another. */
export type Renderer = (channel: Channel, facts: Facts, unsubscribeUrl?: string) => Content

/**
 * Parses an automation's template once. What it renders is plain text; making HTML of an e-mail is its provider's job.
 * @throws TemplateError, also from the renderer.
 */
export function compileTemplate(template: Template): Renderer {
  const subject = parseTemplate(template.subject ?? '')
  const body = parseTemplate(template.body)
  const values = Object.entries(template.content_variables).map(
    ([name, value]) => [name, parseTemplate(value)] as const,
  )
  return (channel, facts, unsubscribeUrl) => {
    const variables = variablesOf(facts, unsubscribeUrl)
    if (channel === 'whatsapp' && template.content_sid !== null)
      return {
        content_sid: template.content_sid,
        content_variables: Object.fromEntries(
          values.map(([name, value]) => [name, renderTemplate(value, variables)]),
        ),
      }
    const text = { body: renderTemplate(body, variables) }
    if (channel !== 'email') return text
    // A line break in a subject would begin another header.
    return { subject: renderTemplate(subject, variables).replace(/\s+/g, ' ').trim(), ...text }
  }
}
