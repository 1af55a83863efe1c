import 'server-only'
import { DatabaseError } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'

/** Loads the page after a cursor; the first page when the address carries one that is not ours. */
export async function fromCursor<T>(
  cursor: string | undefined,
  load: (cursor?: string) => Promise<T>,
): Promise<T> {
  if (!cursor) return load()
  try {
    return await load(cursor)
  } catch (error) {
    const malformed = error instanceof HttpError && error.status === 400
    // Class 22: the text is a cursor, but of another list (its key has the wrong type).
    const foreign = error instanceof DatabaseError && error.code.startsWith('22')
    if (malformed || foreign) return load()
    throw error
  }
}
