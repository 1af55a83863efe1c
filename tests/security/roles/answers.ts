import { ERRORS, type ErrorCode } from '@/lib/http/error-codes'
import type { Operation } from '@/lib/openapi/operation'

/** The codes of each refusal; 500 is the contract's answer to running an unknown automation. */
const CODES: Record<number, string[]> = {
  400: ['INVALID_INPUT', 'MALFORMED_JSON'],
  401: ['UNAUTHORIZED'],
  403: ['FORBIDDEN', 'FOREIGN_LOCATION'],
  404: ['NOT_FOUND'],
  500: ['AUTOMATION_NOT_FOUND'],
}

/** What is wrong with an answer that should refuse with that status: its text and code are the usual ones. */
export function problemsOfRefusal(
  operation: Operation,
  status: number,
  response: Response,
  text: string,
): string[] {
  const got = `${response.status} ${text.slice(0, 200)}`
  if (response.status !== status) return [`expected ${status}, got ${got}`]
  const code = response.headers.get('x-error-code') ?? ''
  if (!CODES[status]?.includes(code)) return [`refused with the code ${code}: ${got}`]
  const body = JSON.parse(text) as { error?: unknown; code?: unknown }
  const problems: string[] = []
  if (!operation.contract && body.code !== code)
    problems.push(`the body has another code than ${code}: ${got}`)
  const said = status === 401 ? (operation.errors?.unauthorized ?? usual(code)) : usual(code)
  if ([401, 403, 404].includes(status) && body.error !== said) problems.push(`should say ${said}: ${got}`)
  return problems
}

const usual = (code: string) => ERRORS[code as ErrorCode][1]
