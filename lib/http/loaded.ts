import { z } from 'zod'
import { HttpError } from './errors'

/** A text as it may be stored: whatever today's forms take, it was read from here. */
export const anyText = z.string().max(20_000).nullable()
export const anyId = z.uuid().nullable()

/**
 * The field `loaded` of a change: what the fields were when they were read. One that somebody else has changed since is
 * not overwritten (409 EDITED_MEANWHILE with what it is now); fields that only one of both changed are merged.
 */
export const loadedValues = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape).partial().optional().meta({
    description:
      'What the changed fields were when they were read: one that someone else changed since is refused (EDITED_MEANWHILE). Without it the last change counts.',
  })

/** 409 for fields that somebody else changed since; `current` has their values now, as the API gives them. */
export const editedMeanwhile = (current: Readonly<Record<string, unknown>>) =>
  new HttpError('EDITED_MEANWHILE', {
    issues: Object.keys(current)
      .slice(0, 20)
      .map((path) => ({ path, code: 'edited' })),
    fields: { current },
  })
