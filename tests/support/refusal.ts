import { expect } from 'vitest'
import { ERRORS, type ErrorCode, type IssueCode } from '@/lib/http/error-codes'

/** What `answer` gives of a refusal with this code, in whatever words. */
export const refusal = (code: ErrorCode) => ({
  status: ERRORS[code][0],
  body: expect.objectContaining({ error: expect.any(String), code }),
})

/** What `answer` gives of input refused for that field, in whatever words; `code` says what is wrong with it. */
export const invalid = (path: string, code: IssueCode | undefined = undefined) => ({
  status: 400,
  body: expect.objectContaining({
    code: 'INVALID_INPUT',
    issues: expect.arrayContaining([expect.objectContaining({ path, ...(code ? { code } : {}) })]),
  }),
})

/** What `answerOf` gives of a refusal whose body the contract fixes: the text alone, and its code in the header. */
export const plainRefusal = (code: ErrorCode) => ({
  status: ERRORS[code][0],
  body: { error: expect.any(String) },
  code,
})

/** The status, body and error code of an answer. */
export const answerOf = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as unknown,
  code: response.headers.get('x-error-code'),
})
