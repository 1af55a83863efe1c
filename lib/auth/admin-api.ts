import type { AuthError } from '@supabase/supabase-js'

/** Whether Auth refused because it has no admin API: the embedded one has none, and asks for a person's session instead. */
export const lacksAdminApi = ({ status, code }: AuthError): boolean =>
  status === 404 || status === 501 || (status === 401 && code === 'no_authorization')
