import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Cookie } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'

// Beside the lane's data: a worker that follows a failed one goes on with its sessions.
const FILE = join(process.env.DATA_DIR ?? '.data', 'e2e-sessions.json')

const kept = (): Record<string, Cookie[]> => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {})

/**
 * Signs a browser in as one of the demo's people, once a lane: signing in anew for every test would run into the rate
 * limit, as it should. @throws when the password is refused.
 */
export async function enter(context: BrowserContext, email: string): Promise<void> {
  const sessions = kept()
  if (sessions[email]) {
    await context.addCookies(sessions[email])
    // Another test may have signed out with it: that ends it at once.
    if ((await context.request.get('/api/notices')).ok()) return
    await context.clearCookies()
  }
  const data = { email, password: DEMO_PASSWORD }
  const answer = await context.request.post('/api/auth/sign-in', { data })
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${await answer.text()}`)
  // Only those of the session.
  sessions[email] = (await context.cookies()).filter(({ name }) => name.startsWith('sb-'))
  writeFileSync(FILE, JSON.stringify(sessions))
}
