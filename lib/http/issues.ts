import type { z } from 'zod'
import type { Issue, IssueCode } from './error-codes'

/** A problem with its English sentence for the answer's `error`. */
export interface InputProblem extends Issue {
  message: string
}

/** For `refine` and `addIssue`: the code and English text of a failed check of our own. */
export const problemAs = (code: IssueCode, message: string, params: Issue['params'] = {}) => ({
  message,
  params: { code, ...params },
})

/** The problems that zod found, in zod's order. */
export const problemsOf = ({ issues }: z.ZodError): InputProblem[] =>
  issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message, ...codeOf(issue) }))

function codeOf(issue: z.core.$ZodIssue): Pick<Issue, 'code' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? { code: 'required' }
        : { code: 'wrong_type', params: { expected: issue.expected } }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return { code: 'invalid_format', params: { format: issue.format } }
    case 'invalid_value':
      return { code: 'unknown_value' }
    case 'unrecognized_keys':
      return { code: 'unknown_field', params: { field: issue.keys.join(', ').slice(0, 100) } }
    case 'custom': {
      const { code = 'invalid', ...params } = (issue.params ?? {}) as { code?: IssueCode } & Issue['params']
      return Object.keys(params).length > 0 ? { code, params } : { code }
    }
    default:
      return { code: 'invalid' }
  }
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): Pick<Issue, 'code' | 'params'> {
  if (origin === 'string' && Number(minimum) === 1) return { code: 'required' }
  const code = origin === 'string' ? 'too_short' : origin === 'array' ? 'too_few' : 'too_small'
  return { code, params: { minimum: Number(minimum) } }
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): Pick<Issue, 'code' | 'params'> {
  const code = origin === 'string' ? 'too_long' : origin === 'array' ? 'too_many' : 'too_big'
  return { code, params: { maximum: Number(maximum) } }
}

/** The errors of the SQL functions that save calendar events and tickets, by outcome. */
export const RECORD_PROBLEMS = {
  unknown_location: { path: 'location_id', code: 'unknown', message: 'not one of your locations' },
  unknown_customer: { path: 'customer_id', code: 'unknown', message: 'no such customer' },
  unknown_assignee: { path: 'assignee_id', code: 'unknown', message: 'no such person' },
  ends_before_start: { path: 'ends_at', code: 'ends_before_start', message: 'before event_datetime' },
} as const satisfies Record<string, InputProblem>
