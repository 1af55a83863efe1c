import { expect, it } from 'vitest'
import { withComments } from '@/scripts/function-comments'

const TYPES = `export type Database = {
  public: {
    Tables: {
      ping: {
        Row: { id: string }
      }
    }
    Functions: {
      ping: { Args: never; Returns: string }
      plain: {
        Args: {
          ping: string
        }
        Returns: string
      }
    }
  }
}
`

it('shows the comment of a function and its file above its types', () => {
  const file = {
    path: 'supabase/logic/x/y.sql',
    text: 'create or replace function public.ping() returns text',
  }
  expect(withComments(TYPES, new Map([['ping', 'Answers */ "pong".\nAlways.']]), [file])).toBe(
    TYPES.replace(
      '      ping: { Args',
      `      /**
       * Answers *\\/ "pong".
       * Always.
       * supabase/logic/x/y.sql
       */
      ping: { Args`,
    ),
  )
})
