import type { APIRequestContext } from '@playwright/test'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { expect } from './fixtures'

/** Connects the demo's group to a Resend on this machine, as someone who may. `close` disconnects it again. */
export async function connectResend(api: APIRequestContext): Promise<FakeResend> {
  const secrets = { api_key: 're_e2e_0123456789', webhook_secret: 'whsec_ZTJlZTJlZTJlZTJl' }
  const resend = await startFakeResend({
    apiKey: secrets.api_key,
    webhookSecret: secrets.webhook_secret,
    port: Number(new URL(process.env.RESEND_BASE_URL ?? '').port),
  })
  const config = { ...secrets, from_email: 'hola@grupo-alborada.example', from_name: 'Grupo Alborada' }
  const saved = await api.put('/api/integrations/resend', { data: { is_enabled: true, config } })
  expect(saved.ok(), await saved.text()).toBe(true)
  const close = async () => {
    const empty = { is_enabled: false, config: { api_key: null, webhook_secret: null } }
    await api.put('/api/integrations/resend', { data: empty })
    await resend.close()
  }
  return { ...resend, close }
}
