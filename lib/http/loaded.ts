import { z } from 'zod'
import { HttpError } from './errors'

/** A stored text. It is not limited to what today's forms accept, because it was read from the database. */
export const anyText = z.string().max(20_000).nullable()
export const anyId = z.guid().nullable()

/**
 * The field `loaded` of a change: the values of the fields when they were read. A field that another person has changed
 * since is not overwritten (409 EDITED_MEANWHILE with the current value); changes of different fields are merged.
 */
export const loadedValues = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape).partial().optional().meta({
    description:
      'What the changed fields were when they were read: one that someone else changed since is refused (EDITED_MEANWHILE). Without it the last change counts.',
  })

/** 409 for fields that another person changed meanwhile; `current` has their present values in the API's format. */
export const editedMeanwhile = (current: Readonly<Record<string, unknown>>) =>
  new HttpError('EDITED_MEANWHILE', {
    issues: Object.keys(current)
      .slice(0, 20)
      .map((path) => ({ path, code: 'edited' })),
    fields: { current },
  })
