import type { Messages } from 'next-intl'
import { UNCONFIRMED_STATUS } from './send'

/** The sentence, under `client.form`, for an answer that no field and no rule of the form explains. */
export function formProblem(status: number): keyof Messages['client']['form'] {
  if (status === UNCONFIRMED_STATUS) return 'unconfirmed'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'gone' : 'failed'
}
