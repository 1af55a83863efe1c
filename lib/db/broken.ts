import { z } from 'zod'

/** For the schema of rows that hold stored documents, such as conditions or the blocks of an e-mail (see `parseRows`). */
export const brokenMark = z.literal(true).optional().meta({
  description: 'Something stored in it cannot be read any more, and is null or empty here: save it again',
})
