import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

describe('GET /api/health', () => {
  it('is healthy while the database answers', async () => {
    const response = await app.client().request('GET', '/api/health')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'healthy',
      database: 'connected',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      version: '1.0.0',
    })
  })

  it('is unhealthy with the database stopped, and says so instead of hanging', async () => {
    await app.stack.close()
    const response = await app.client().request('GET', '/api/health')
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ status: 'unhealthy', error: expect.any(String) })
  })
})
