import { expect } from 'vitest'
import { type Arrange, type Asker, error, type Of, type Row } from '../row'

/** `{error}` that begins with the name of the field: how it goes on is the validator's own wording. */
export const about = (field: string) =>
  error(expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}: \\S`)))

/** A change of a field that someone else has changed since it was loaded is refused. */
export const editedMeanwhile = (
  operation: string,
  field: string,
  { as, id, given }: { as: Asker; id: Of<string>; given: Arrange },
): Row => ({
  name: 'refuses a field that someone else changed since it was loaded',
  section: 'our own: 409 edited meanwhile',
  as,
  request: { operation, id, body: { [field]: 'Lo mío', loaded: { [field]: 'Lo de antes' } } },
  arrange: given,
  answers: { status: 409, body: error('Someone else changed these fields since they were read') },
})
