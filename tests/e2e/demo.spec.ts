import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoProcess, startDemo } from '../../scripts/demo/demo-process'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { freePort } from '../support/free-port'
import { expect, test } from './fixtures'

// A tenth of the guests: the demo as a newcomer starts it, without Postgres, whatever the other tests run on.
let demo: DemoProcess
const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-e2e-demo-'))

test.beforeAll(async () => {
  test.setTimeout(180_000)
  const [port, supabase, pms] = await Promise.all([freePort(), freePort(), freePort()])
  demo = await startDemo({
    STACK: 'embedded',
    DEMO_SCALE: '0.1',
    APP_BUILT: '1',
    PORT: String(port),
    SUPABASE_PORT: String(supabase),
    PMS_PORT: String(pms),
    DATA_DIR: dataDir,
  })
})
test.afterAll(async () => {
  await demo?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('who the demo names signs in with the password it names, and finds guests with a year of visits', async ({
  page,
}) => {
  const [, email = ''] = /^ +(\S+@\S+) +admin$/m.exec(demo.output()) ?? []
  expect(demo.output()).toContain(`with the password ${DEMO_PASSWORD} as`)
  await page.goto(`${demo.url}/sign-in`)
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
  const answer = await page.request.get(`${demo.url}/api/customers?sort=visits&limit=1`)
  const [guest] = (await answer.json()).data
  // The first sync brings a few days: no guest comes so often in them.
  expect(guest.total_visits).toBeGreaterThan(4)
  await page.goto(`${demo.url}/customers/${guest.id}`)
  // Typed in capitals it is shown in letters of both cases.
  await expect(page.getByRole('heading', { level: 1 })).toContainText(guest.last_name, { ignoreCase: true })
})
