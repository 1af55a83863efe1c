import { askForCode } from '@/components/forms/ask-for-code'
import { type Refusal, refusalOf, send } from '@/components/forms/send'
import type { SecondFactorState } from '@/lib/account/schema'

/** Downloads the list at the address. People with a second factor enter a code first. */
export async function downloadList(href: string, confirm: boolean): Promise<Refusal | null> {
  if (confirm) {
    const answer = await send<SecondFactorState>('GET', '/api/account/second-factor')
    if (!answer.ok) return answer
    if (!answer.data.confirmed && !(await askForCode())) return null
  }
  save(href)
  return null
}

/** Downloads these customers, in the order and language of the list's file at the address. */
export async function downloadChosen(href: string, ids: readonly string[]): Promise<Refusal | null> {
  const { searchParams } = new URL(href, window.location.href)
  const [sort, language] = [searchParams.get('sort'), searchParams.get('language')]
  const body = JSON.stringify({ ids, ...(sort ? { sort } : {}), ...(language ? { language } : {}) })
  try {
    const response = await fetch('/api/customers/export', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    if (!response.ok) {
      const refusal = await refusalOf(response)
      if (refusal.code !== 'SECOND_FACTOR_NEEDED') return refusal
      return (await askForCode()) ? downloadChosen(href, ids) : null
    }
    const [, name = 'customers.csv'] =
      /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
    const file = URL.createObjectURL(await response.blob())
    save(file, name)
    URL.revokeObjectURL(file)
    return null
  } catch {
    return { ok: false, status: 0, issues: [] }
  }
}

function save(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
