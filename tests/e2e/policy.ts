import { expect, type Page, type Response } from '@playwright/test'

/** Collects what the browser refuses by the page's policy. Console messages fail every test (fixtures.ts). */
export async function watchPolicy(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (line: string) => violations.push(line))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber, sample } = event
      const line = `${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber} ${sample}`
      ;(window as unknown as { reportViolation: (line: string) => void }).reportViolation(line)
    })
  })
  return violations
}

/** Fails unless the page's answer is for this person only, and lets no script run but those with its nonce. */
export async function expectOwnPolicy(answer: Response | null): Promise<void> {
  const { 'content-security-policy': policy = '', 'cache-control': caching } = answer?.headers() ?? {}
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic';/)
  expect(caching).toMatch(/no-store/)
  const source = (await answer?.text()) ?? ''
  // Nothing hangs on scripts the browser lets through otherwise.
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
  const tags = source.match(/<script\b[^>]*>/g) ?? []
  expect(tags.length).toBeGreaterThan(3)
  expect(tags.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
  expect(source).not.toContain('sb_secret_')
  expect(source).not.toContain('access_token')
}
