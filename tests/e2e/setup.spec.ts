import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { LOCALE_COOKIE } from '../../lib/i18n/locales'
import { answers } from '../../scripts/demo/processes'
import type { LocalKeys } from '../../supabase/local/keys'
import { type BuiltApp, startBuiltApp } from '../contract/built-app'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

// A database of the test's own, without any group, behind the same build; reservations come from the demo's PMS.
const TOKEN = 'the-setup-token-of-e2e'
const PASSWORD = randomUUID()
const PMS = process.env.PMS_URL ?? ''

let directory: string
let database: ChildProcess
let app: BuiltApp

test.beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sobremesa-e2e-setup-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  database = spawn(process.execPath, ['--import', 'tsx', 'supabase/local/serve.ts'], {
    env: { ...process.env, DATA_DIR: directory, SUPABASE_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answers(`${url}/rest/v1/`)
  const extra = { SETUP_TOKEN: TOKEN, APP_URL: '', AUTH_MAILER: '' }
  app = await startBuiltApp({ url, keys: keysIn(directory) }, extra)
})
test.afterAll(async () => {
  await app?.stop()
  if (database?.exitCode === null) {
    database.kill('SIGTERM')
    await once(database, 'exit')
  }
  rmSync(directory, { recursive: true, force: true })
})

const keysIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as LocalKeys

/** The key that the demo's PMS takes (scripts/demo/settings.ts). */
const pmsKey = () =>
  createHash('sha256')
    .update(`pms:${keysIn(process.env.DATA_DIR ?? '').secretsKey}`)
    .digest('hex')
    .slice(0, 32)

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const nav = (page: Page) => page.getByRole('navigation', { name: 'Navegación principal' })
const steps = (page: Page) => page.getByRole('region', { name: 'Primeros pasos' })

test('a new group sets itself up by what the pages offer, from /setup to its first reservations', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  let clicks = 0
  let began = Date.now()
  const press = async (locator: Locator) => {
    clicks++
    await locator.click()
  }
  const home = () => press(nav(page).getByRole('link', { name: 'Inicio', exact: true }))

  // Whoever opens the app is led to the page.
  await page.goto(app.url)
  await expect(page).toHaveURL(/\/setup$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Crea tu grupo' })).toBeVisible()
  await expectSetupForEverybody(page)
  began = Date.now()
  await page.getByRole('textbox', { name: 'Código de instalación (SETUP_TOKEN)' }).fill('no es este')
  await page.getByLabel('Nombre del grupo').fill('Grupo Primero')
  await page.getByLabel('Nombre y apellidos').fill('Lola Marín')
  await page.getByLabel('Correo electrónico').fill('lola@primero.example')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Crear el grupo' }).click()
  await expect(page.getByText('El código de instalación no es correcto.')).toBeVisible()
  await expect(page.getByLabel('Nombre del grupo')).toHaveValue('Grupo Primero')
  // By keyboard alone: what was wrong has the focus, and Enter sends the form.
  await expect(page.getByRole('textbox', { name: 'Código de instalación (SETUP_TOKEN)' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(TOKEN)
  clicks++
  await page.keyboard.press('Enter')

  await expect(steps(page)).toContainText('0 de 6')
  const aside = Date.now()
  await expectEmptyPages(page, browser)
  began += Date.now() - aside
  await page.goto(app.url)

  await press(steps(page).getByRole('link', { name: 'Conectar el PMS' }))
  const pms = page.getByRole('region', { name: 'Sistema de reservas (PMS)' })
  await pms.getByLabel('Dirección del sistema de reservas (URL)').fill(PMS)
  await pms.getByRole('textbox', { name: 'Clave (API key)' }).fill(pmsKey())
  clicks++
  await pms.getByRole('switch', { name: 'Usar esta integración' }).click({ force: true })
  await press(pms.getByRole('button', { name: 'Guardar' }))
  await expect(page.getByText('Cambios guardados: Sistema de reservas (PMS)')).toBeVisible()

  await home()
  await press(steps(page).getByRole('link', { name: 'Añadir locales' }))
  await expect(page.getByRole('button', { name: 'Añadir los de ejemplo' })).toBeVisible()
  await press(page.getByRole('button', { name: 'Añadir local', exact: true }))
  const form = page.getByRole('dialog')
  await form.getByLabel('Nombre', { exact: true }).fill('Casa Lumbre Chamberí')
  await form.getByLabel('Identificador del PMS').fill('casa-lumbre-chamberi')
  await expect(form.getByLabel('Zona horaria')).toHaveValue('Europe/Madrid')
  await press(form.getByRole('button', { name: 'Guardar' }))
  await expect(page.getByText('Local añadido: Casa Lumbre Chamberí')).toBeVisible()
  // What is an example is for empty groups.
  await expect(page.getByRole('button', { name: 'Añadir los de ejemplo' })).toHaveCount(0)

  await home()
  await press(steps(page).getByRole('link', { name: 'Poner horarios' }))
  await press(page.getByRole('button', { name: 'Proponer comida y cena' }))
  await press(
    page.getByRole('region', { name: 'Horario', exact: true }).getByRole('button', { name: 'Guardar' }),
  )
  await expect(page.getByRole('status').getByText('Cambios guardados', { exact: true })).toBeVisible()

  await home()
  await expect(steps(page)).toContainText('4 de 6')
  await press(steps(page).getByRole('button', { name: 'Sincronizar ahora' }))
  await expect(page.getByText('Reservas al día')).toBeVisible({ timeout: 60_000 })
  await expect(steps(page)).toContainText('5 de 6')
  await press(nav(page).getByRole('link', { name: 'Reservas', exact: true }))
  await expect(page.getByRole('table').first().getByRole('row').nth(1)).toBeVisible()
  // 15 today; a step more on the way is a person lost.
  const seconds = Math.round((Date.now() - began) / 1000)
  const told = `From /setup to the first reservation: ${clicks} clicks, ${seconds} s`
  test.info().annotations.push({ type: 'setup', description: told })
  console.log(told)
  expect(clicks).toBeLessThanOrEqual(15)

  await test.step('the steps are hidden for the group, and shown again', async () => {
    await page.goto(app.url)
    await steps(page).getByRole('button', { name: 'Ocultar los primeros pasos' }).click()
    await expect(steps(page)).toHaveCount(0)
    await page.goto(`${app.url}/settings/general`)
    await page.getByRole('switch', { name: 'Mostrarla en el inicio' }).click({ force: true })
    await expect(page.getByText('Primeros pasos: en el inicio')).toBeVisible()
    await page.goto(app.url)
    await expect(steps(page)).toBeVisible()
    await speakEnglish(page)
    await expectNoSpanish(page)
  })

  await test.step('files on the server are offered only where there is a folder for them', async () => {
    await page.goto(`${app.url}/settings/import`)
    await expect(page.getByLabel('CSV', { exact: false }).first()).toBeAttached()
    await expect(page.getByText('casa-lumbre-chamberi.csv')).toHaveCount(0)
  })

  await test.step('the page is closed', async () => {
    await page.context().clearCookies()
    await page.goto(`${app.url}/setup`)
    await expect(page).toHaveURL(/\/sign-in$/)
    await page.goto(app.url)
    await expect(page).toHaveURL(/\/sign-in$/)
  })

  await test.step('a forgotten password: nobody can mail a link, and the page says so and whom to ask', async () => {
    await page.goto(`${app.url}/forgot-password`)
    await expect(page.getByText('no puede enviar correos ahora mismo', { exact: false })).toBeVisible()
    await expect(
      page.getByText('Pide un enlace a quien administra tu equipo', { exact: false }),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Enviar el enlace' })).toHaveCount(0)
  })
})

/** The page of a new deployment: in both languages and themes, enlarged and on a phone. */
async function expectSetupForEverybody(page: Page): Promise<void> {
  const usual = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const colorScheme of ['dark', 'light'] as const) {
    await changeScheme(page, colorScheme)
    expect(await violations(page)).toEqual([])
  }
  for (const size of [
    { width: 640, height: 400 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page)
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize(usual)
  for (const locale of ['en', 'es']) {
    await page.context().addCookies([{ name: LOCALE_COOKIE, value: locale, url: app.url }])
    await page.goto(app.url)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    if (locale === 'en') await expectNoSpanish(page)
  }
}

/** The pages of a group that has nothing: the button for administrators, else the colleagues to ask. */
async function expectEmptyPages(page: Page, browser: Browser): Promise<void> {
  const { data } = await (
    await page.request.post(`${app.url}/api/team/invitations`, {
      data: { email: 'sala@primero.example', role: 'marketing' },
    })
  ).json()
  const context = await browser.newContext({ locale: 'es-ES' })
  const colleague = await context.newPage()
  const joined = await colleague.request.post(`${app.url}/api/auth/sign-up`, {
    data: { email: data.email, password: randomUUID(), token: data.token },
  })
  expect(joined.status()).toBe(201)
  for (const [path, title, action] of [
    ['/', 'Todavía no hay locales', 'Ir a los locales'],
    ['/service', 'Todavía no hay locales', 'Ir a los locales'],
    ['/reservations', 'Todavía no hay locales', 'Ir a los locales'],
    ['/loyalty', 'Todavía no hay locales', 'Ir a los locales'],
    ['/reports', 'Todavía no hay locales', 'Ir a los locales'],
    ['/customers', 'Todavía no hay clientes', 'Importar un archivo'],
  ] as const) {
    await page.goto(app.url + path)
    await expect(page.getByText(title).first()).toBeVisible()
    await expect(page.getByRole('link', { name: action }).first()).toBeVisible()
    await colleague.goto(app.url + path)
    await expect(colleague.getByText(title).first()).toBeVisible()
    await expect(colleague.getByText(/pide a un administrador/i).first()).toBeVisible()
    await expect(colleague.getByRole('link', { name: action })).toHaveCount(0)
  }
  for (const [path, title] of [
    ['/automations', 'Todavía no hay automatizaciones'],
    ['/tickets', 'No hay incidencias abiertas'],
    ['/calendar?view=agenda', 'No hay eventos este mes'],
  ] as const) {
    await page.goto(app.url + path)
    await expect(page.getByText(title)).toBeVisible()
  }
  await expect(steps(colleague)).toHaveCount(0)
  await context.close()
}
