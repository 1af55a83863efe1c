import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import type { Role } from '../../lib/permissions'
import { enter } from './sessions'

/** A password that people may choose: it stands nowhere in the repository. */
export const CHOSEN = randomUUID()

/** Someone who has joined the demo's team with the password CHOSEN, for tests that change a password. */
export async function newColleague(browser: Browser, role: Role = 'pr_comunicacion') {
  const email = `prueba-${randomUUID()}@demo.example`
  const [boss, own] = [await browser.newContext(), await browser.newContext()]
  await enter(boss, 'super@demo.example')
  const invited = await boss.request.post('/api/team/invitations', {
    data: { email, role },
  })
  const { token } = (await invited.json()).data
  const joined = await own.request.post('/api/auth/sign-up', { data: { email, password: CHOSEN, token } })
  const { user } = await joined.json()
  await own.close()
  return {
    email,
    /** What the person who invited them asks the API. */
    boss: boss.request,
    change: async (data: { role?: Role; location_ids?: string[] }) => {
      const changed = await boss.request.patch(`/api/team/${user.id}`, { data })
      if (!changed.ok()) throw new Error(await changed.text())
    },
    leave: async () => {
      await boss.request.delete(`/api/team/${user.id}`)
      await boss.close()
    },
  }
}
