/** Why a code was not taken. */
export type CodeFailure = 'wrong' | 'tooMany' | 'unavailable' | 'changed' | 'other'

/** Gives a code of the second factor, or a recovery code; null when it was right. */
export const giveCode = (body: { code: string } | { recovery_code: string }) =>
  postCode('POST', '/api/auth/second-factor', body)

/** Sends a code to an endpoint of the second factor; `onAnswer` gets what came of a right one. */
export async function postCode(
  method: 'POST' | 'DELETE',
  path: string,
  body: object,
  onAnswer: (answer: unknown) => void = () => {},
): Promise<CodeFailure | null> {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response?.ok) {
    onAnswer(response.status === 204 ? null : await response.json())
    return null
  }
  if (response?.status === 400 || response?.status === 401) return 'wrong'
  if (response?.status === 409) return 'changed'
  if (response?.status === 501) return 'unavailable'
  return response?.status === 429 ? 'tooMany' : 'other'
}
