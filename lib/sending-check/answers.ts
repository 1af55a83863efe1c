import { notFound, single } from '@/lib/openapi/common'
import { exampleCheck } from './example'
import { sendingCheckSchema } from './schema'

/** The answers of the operations that give a check. */
export const checkAnswers = {
  200: { description: 'The check', schema: single(sendingCheckSchema), example: { data: exampleCheck } },
  404: notFound,
}
