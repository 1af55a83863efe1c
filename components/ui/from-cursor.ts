import 'server-only'
import { DatabaseError } from '@/lib/db/errors'
import { lastStep } from '@/lib/http/cursor-path'
import { HttpError } from '@/lib/http/errors'

/** Loads the page of a list that the cursor points to; the first page when the cursor is invalid. */
export async function fromCursor<T>(
  path: string | undefined,
  load: (cursor?: string) => Promise<T>,
): Promise<T> {
  if (!path) return load()
  try {
    return await load(lastStep(path))
  } catch (error) {
    const malformed = error instanceof HttpError && error.code === 'MALFORMED_CURSOR'
    // Class 22 (data exception): the cursor belongs to another list, and its key has the wrong type.
    const foreign = error instanceof DatabaseError && error.code.startsWith('22')
    if (malformed || foreign) return load()
    throw error
  }
}
