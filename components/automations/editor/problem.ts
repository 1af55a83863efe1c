import type { Messages } from 'next-intl'

type Texts = Messages['client']['automationEditor']
type Sentence = keyof Texts['problems']
type TemplateSentence = Exclude<keyof Texts['template'], 'line'>

/** What a refusal of the API is about: a field (as the form names its parts) and its sentence. */
export type Problem =
  | { kind: 'field'; field: string; text: Sentence; detail?: string }
  | { kind: 'template'; field: string; line: number; text: TemplateSentence; what: string }

const SENTENCES: Record<string, Sentence> = {
  name: 'name',
  'criteria.days_before': 'days_before',
  'criteria.inactive_days': 'inactive_days',
  'criteria.min_tier': 'tier',
  fallback_channel: 'fallback',
  content_sid: 'sid',
  content_variables: 'variable',
  location_ids: 'location',
  tier_ids: 'tier',
  tags: 'tags',
}

const TEMPLATE_SENTENCES: [RegExp, TemplateSentence][] = [
  [/^output .* not closed/, 'output'],
  [/^tag "?(?:\{%-?)?\s*(\w+).* not closed/, 'tag'],
  [/^tag "(.*)" not found/, 'unknownTag'],
  [/^undefined filter: (.*)/, 'filter'],
  [/^invalid value expression/, 'value'],
  [/^a range goes from .*: (.*)/, 'range'],
  [/^nested too deeply/, 'deep'],
  [/^(?:parse length limit exceeded|too long once rendered)/, 'long'],
  [/^(?:took too long|memory alloc limit exceeded)/, 'slow'],
]

/** Reads a refusal (400 or 409) of an automation; null when it is about none of the fields. */
export function problemOf({ status, error }: { status: number; error: string }): Problem | null {
  if (status === 409)
    return error === 'Already exists'
      ? { kind: 'field', field: 'name', text: 'taken' }
      : { kind: 'field', field: '', text: 'changed' }
  const found = /^(?:automation\.)?([a-z_]+)(?:\.([A-Za-z0-9_]+))?: (?:line (\d+): )?(.*)$/s.exec(error)
  if (status !== 400 || !found) return null
  const [, part = '', sub, line, detail = ''] = found
  if (part === 'template') return { kind: 'field', field: 'body', text: 'render', detail }
  const field =
    sub !== undefined && ['criteria', 'content_variables'].includes(part) ? `${part}.${sub}` : part
  if (line !== undefined) return { kind: 'template', field, line: Number(line), ...templateProblem(detail) }
  return { kind: 'field', field, text: sentenceOf(field, detail) }
}

function sentenceOf(field: string, detail: string): Sentence {
  if (field === 'subject') return detail.startsWith('needed') ? 'subject' : 'subjectLong'
  if (field === 'body') return detail.startsWith('needed') ? 'body' : 'bodyLong'
  if (field === 'content_sid' && detail.startsWith('needed')) return 'sidNeeded'
  if (field === 'criteria.window_hours' && detail.startsWith('must be more')) return 'window'
  if (field.startsWith('content_variables')) return 'variable'
  return SENTENCES[field] ?? (field.startsWith('criteria') ? 'number' : 'other')
}

function templateProblem(detail: string): { text: TemplateSentence; what: string } {
  for (const [pattern, text] of TEMPLATE_SENTENCES) {
    const found = pattern.exec(detail)
    if (found) return { text, what: found[1] ?? '' }
  }
  return { text: 'other', what: detail }
}
