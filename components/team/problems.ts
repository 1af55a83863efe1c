import type { Messages } from 'next-intl'
import { fieldOf } from '@/components/settings/send'

type Texts = Messages['client']['team']['problems']

/** The sentence for what the API refuses about a person; null when only the status says something. */
export function teamProblem({ status, error }: { status: number; error: string }): keyof Texts | null {
  if (error.includes('belongs to a member')) return 'member'
  if (error.includes('invited already')) return 'invited'
  if (status === 409) return 'own'
  if (status === 403) return 'forbidden'
  const field = fieldOf(error)
  if (field === 'email') return 'email'
  return field === 'location_ids' ? 'location' : null
}
