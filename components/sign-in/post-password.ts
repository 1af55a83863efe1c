/** Why a password could not be asked for or set. */
export type PasswordFailure = 'email' | 'password' | 'weak' | 'weakSpent' | 'spent' | 'tooMany' | 'other'

/** Posts to one of the password endpoints; null when it went through. */
export async function postPassword(path: string, body: object): Promise<PasswordFailure | null> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response?.ok) return null
  if (response?.status === 429) return 'tooMany'
  if (response?.status === 403) return 'spent'
  if (response?.status !== 400) return 'other'
  const { error } = await response.json().catch(() => ({ error: '' }))
  if (error === 'password: too weak') return 'weak'
  if (String(error).startsWith('password: too weak')) return 'weakSpent'
  if (String(error).startsWith('token')) return 'spent'
  return String(error).startsWith('email') ? 'email' : 'password'
}
