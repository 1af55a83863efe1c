import { expect } from 'vitest'
import { type Arrange, type Asker, error, type Of, type Row } from '../row'

/** Every operation refuses a caller without a session. */
export const signedOut = (operations: string[]): Row[] =>
  operations.map((operation) => ({
    name: 'refuses a caller without a session',
    section: 'our own: 401 no session',
    as: 'visitor',
    request: { operation },
    answers: { status: 401, body: error('Unauthorized') },
  }))

/** Every operation refuses the role, which lacks the permission. */
export const notFor = (as: Asker, permission: string, operations: string[]): Row[] =>
  operations.map((operation) => ({
    name: `refuses a role without ${permission}`,
    section: 'our own: 403 no permission',
    as,
    request: { operation },
    answers: { status: 403, body: error('Forbidden') },
  }))

/** A record as the operations on it see it: who may, its id, how it is made, and a body an operation needs. */
interface Record404 {
  as: Asker
  id: Of<string>
  given?: Arrange
  bodies?: Record<string, object>
}

/** Every operation answers 404 for an unknown id and to another organization, and 400 for a malformed id. */
export const byId = (operations: string[], { as, id, given, bodies = {} }: Record404): Row[] =>
  operations.flatMap((operation): Row[] => {
    const request = { operation, ...(bodies[operation] ? { body: bodies[operation] } : {}) }
    return [
      {
        name: 'finds nothing under an unknown id',
        section: 'our own: 404 not there or not visible',
        as,
        request,
        answers: { status: 404, body: error('Not found') },
      },
      {
        name: 'finds nothing of another organization',
        section: 'our own: 404 not there or not visible',
        as: 'stranger',
        request: { ...request, id },
        ...(given ? { arrange: given } : {}),
        answers: { status: 404, body: error('Not found') },
      },
      {
        name: 'refuses a malformed id',
        section: 'our own: 400 bad input',
        as,
        request: { ...request, id: 'x' },
        answers: { status: 400, body: about('id') },
      },
    ]
  })

/** `{error}` that begins with the name of the field: how it goes on is the validator's own wording. */
export const about = (field: string) =>
  error(expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}: \\S`)))

/** A change of a field that someone else has changed since it was loaded is refused. */
export const editedMeanwhile = (
  operation: string,
  field: string,
  { as, id, given }: Required<Pick<Record404, 'as' | 'id' | 'given'>>,
): Row => ({
  name: 'refuses a field that someone else changed since it was loaded',
  section: 'our own: 409 edited meanwhile',
  as,
  request: { operation, id, body: { [field]: 'Lo mío', loaded: { [field]: 'Lo de antes' } } },
  arrange: given,
  answers: { status: 409, body: error('Someone else changed these fields since they were read') },
})
