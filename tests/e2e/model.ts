import { type APIRequestContext, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { type OpenAiFake, startOpenAi } from '../fakes/openai/server'

/** A language model the demo's group is connected to. */
export interface Model extends OpenAiFake {
  /** The group's own API, as its super administrator. */
  api: APIRequestContext
  connect: () => Promise<void>
  disconnect: () => Promise<void>
}

/** Starts a model and an administrator's session; the group is not connected yet. `close` disconnects it. */
export async function startModel(): Promise<Model> {
  const fake = await startOpenAi()
  const api = await request.newContext({ baseURL: process.env.BASE_URL })
  const data = { email: 'super@demo.example', password: DEMO_PASSWORD }
  if (!(await api.post('/api/auth/sign-in', { data })).ok()) throw new Error('super@ cannot sign in')
  const put = async (is_enabled: boolean, config: object) => {
    const answer = await api.put('/api/integrations/ai', { data: { is_enabled, config } })
    if (!answer.ok()) throw new Error(await answer.text())
  }
  const disconnect = () => put(false, { api_key: null })
  return {
    ...fake,
    api,
    connect: () => put(true, { api_key: 'sk-e2e-0123456789', base_url: fake.url }),
    disconnect,
    close: async () => {
      await disconnect()
      await api.dispose()
      await fake.close()
    },
  }
}
