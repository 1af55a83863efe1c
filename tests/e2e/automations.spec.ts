import type { APIRequestContext, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { loadKeys } from '../../supabase/local/keys'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { tabTo } from './keyboard'

const stamp = Date.now()
const TAG = `e2e-${stamp}`

/** Whoever has their birthday in three days, and the tag of these tests. */
async function addGuest(request: APIRequestContext) {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(5, 10)
  const data = {
    first_name: 'Lucía',
    last_name: `Peñalver ${stamp}`,
    email: `lucia-${stamp}@correo.example`,
    // A leap year: any day of a year is one of it.
    birth_date: `1984-${day}`,
    tags: [TAG],
    consent: { email: { basis: 'opt_in', reason: 'Lo pidió en la barra' } },
  }
  expect((await request.post('/api/customers', { data })).status()).toBe(201)
}

async function addAutomation(page: Page, name: string, more: object = {}): Promise<string> {
  const data = {
    name,
    type: 'birthday',
    channel: 'email',
    subject: 'Hola',
    body: 'Felicidades.',
    tags: [TAG],
    ...more,
  }
  const response = await page.request.post('/api/automations', { data })
  expect(response.status()).toBe(201)
  return (await response.json()).data.id
}

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext()
  const data = { email: 'admin@demo.example', password: DEMO_PASSWORD }
  expect((await context.request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
  // Whatever the hour, messages go out.
  const awake = { quiet_from: '00:00', quiet_until: '00:00' }
  expect((await context.request.patch('/api/organization', { data: awake })).ok()).toBe(true)
  await addGuest(context.request)
  await context.close()
})
test.beforeEach(({ signIn }) => signIn('marketing@demo.example'))

test('a birthday automation is set up from scratch, run, and its messages and results are seen', async ({
  page,
}) => {
  const name = `Postre de cumpleaños ${stamp}`
  await page.goto('/')
  const nav = page.getByRole('navigation', { name: 'Navegación principal' })
  await nav.getByRole('link', { name: 'Automatizaciones' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Automatizaciones' })).toBeVisible()
  await page.goto('/automations/new')
  await page.getByRole('link', { name: /^Cumpleaños/ }).click()
  await page.getByLabel('Nombre', { exact: true }).fill(name)
  await expect(page.getByLabel('Días antes del cumpleaños')).toHaveValue('7')
  await page.getByLabel('Etiquetas').fill(TAG)
  await page.getByLabel('Grupo de control (%)').fill('0')
  await page.getByLabel('Asunto', { exact: true }).fill('Feliz cumpleaños, ')
  await page
    .getByRole('group', { name: 'Insertar: Asunto' })
    .getByRole('button', { name: 'Nombre', exact: true })
    .click()
  await expect(page.getByLabel('Asunto', { exact: true })).toHaveValue(
    'Feliz cumpleaños, {{ first_name | default: "cliente" }}',
  )
  await page
    .getByLabel('Texto del mensaje', { exact: true })
    .fill('Hola, {{ full_name }}:\nel postre es nuestro.')

  const preview = page.getByRole('region', { name: 'Vista previa' })
  await expect(preview.getByText('Feliz cumpleaños, Lucía', { exact: true })).toBeVisible()
  await expect(preview.frameLocator('iframe').getByText('el postre es nuestro.')).toBeVisible()
  await expect(preview.locator('dl').first()).toContainText(/Cumplen los criterios\s*1.*Lo recibirían\s*1/s)
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click()
  await expect(page.getByText('Prueba simulada: marketing@demo.example no la recibirá')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar y activar' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('Todavía no se ha ejecutado')).toBeVisible()

  await page.getByRole('button', { name: 'Ejecutar ahora' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Lo recibirá 1 persona.')
  await question.getByRole('button', { name: 'Ejecutar ahora' }).click()
  const messages = page.getByRole('table', { name: 'Mensajes de la automatización' })
  await expect(messages.getByRole('row', { name: /Lucía Peñalver/ })).toContainText('Simulado')
  const run = page.getByRole('table', { name: 'Registro de envíos' }).getByRole('row').nth(1)
  await expect(run).toContainText('1 persona')
  await expect(run).toContainText('Terminado')
  await expect(run).toContainText('1 enviado · 0 sin enviar · 0 fallidos')
  await expect(page.getByRole('table', { name: 'Del mensaje a la mesa' })).toContainText(/Enviados\s*1/)

  // Nobody hears twice: the dialog says so before anything happens.
  await page.getByRole('button', { name: 'Ejecutar ahora' }).click()
  await expect(question).toContainText('Ahora mismo no lo recibiría nadie.')
  await page.keyboard.press('Escape')

  await page.goto('/automations?type=birthday')
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row.getByRole('cell').nth(2)).toHaveText('1')
  await row.getByRole('switch', { name: `Activar ${name}` }).click({ force: true })
  await expect(page.getByText(`${name} está desactivada`, { exact: false })).toBeVisible()
  await page.goto('/automations?status=active')
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
})

test('messages are filtered, and those left out say why', async ({ page }) => {
  const id = await addAutomation(page, `Por SMS ${stamp}`, { channel: 'sms', status: 'active' })
  expect((await page.request.post(`/api/automations/${id}/run`)).ok()).toBe(true)
  await page.goto(`/automations/${id}`)
  const messages = page.getByRole('table', { name: 'Mensajes de la automatización' })
  const runs = page.getByRole('table', { name: 'Registro de envíos' })
  await expect(messages.getByRole('row', { name: /Lucía/ })).toContainText(
    'No tenemos su dirección o su teléfono',
  )
  await expect(runs).toContainText('1 × No tenemos su dirección o su teléfono')
  await page.getByLabel('Resultado', { exact: true }).selectOption('Enviado')
  await expect(page.getByText('Ningún mensaje coincide')).toBeVisible()
  await page.getByRole('link', { name: 'Ver todos los mensajes' }).click()
  await messages.getByRole('link', { name: /Lucía/ }).click()
  await expect(page).toHaveURL(/\/customers\//)
})

test('scheduled runs without recipients are folded into a line', async ({ page, playwright, baseURL }) => {
  const nobody = { status: 'active', tags: [`nobody-${stamp}`] }
  const id = await addAutomation(page, `Sin nadie ${stamp}`, nobody)
  const { cronSecret } = await loadKeys(process.env.DATA_DIR ?? '.data')
  const scheduler = await playwright.request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${cronSecret}` },
  })
  for (let n = 0; n < 2; n++) expect((await scheduler.get('/api/cron/automations')).ok()).toBe(true)
  await scheduler.dispose()
  await page.goto(`/automations/${id}`)
  const log = page.getByRole('region', { name: 'Envíos', exact: true })
  const line = log.getByText(/^2 ejecuciones sin destinatarios, última (hace|ahora)/)
  await expect(line).toBeVisible()
  await expect(log.getByText('Todavía no ha enviado nada')).toBeVisible()
  const times = log.getByRole('list', { name: 'Ejecuciones sin destinatarios' })
  await expect(times).toBeHidden()
  await line.click()
  await expect(times.getByRole('listitem')).toHaveCount(2)

  // One by hand is no routine: it stands in the log, and the line with it.
  expect((await page.request.post(`/api/automations/${id}/run`)).ok()).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const runs = page.getByRole('table', { name: 'Registro de envíos' })
  await expect(runs.getByRole('row')).toHaveCount(2)
  await expect(runs).toContainText('A mano')
  await expect(line).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.request.delete(`/api/automations/${id}`)
})

test('a template error is told at the field with its line, and nothing typed is lost', async ({ page }) => {
  await page.goto('/automations/new?type=post_visit')
  const body = page.getByLabel('Texto del mensaje', { exact: true })
  await body.fill('Gracias por venir.\n{{ first_name')
  await expect(page.getByText('Línea 2: falta cerrar una variable con dos llaves.')).toBeVisible()
  await page.getByLabel('Y no más tarde de (horas)').fill('3')
  await page.getByRole('button', { name: 'Guardar desactivada' }).click()
  await expect(
    page.getByText('Tiene que ser más que las horas después de la hora reservada.').first(),
  ).toBeVisible()
  await page.getByLabel('Y no más tarde de (horas)').fill('72')
  await page.getByRole('button', { name: 'Guardar desactivada' }).click()
  await expect(page.getByText('No se ha guardado. Revisa lo señalado', { exact: false })).toBeVisible()
  await expect(body).toBeFocused()
  await expect(body).toHaveValue('Gracias por venir.\n{{ first_name')
  await body.fill('Gracias por venir, {{ first_name }}.')
  await expect(page.getByText('Línea 2', { exact: false })).toHaveCount(0)
  await page.getByRole('button', { name: 'Guardar y activar' }).click()
  await expect(page.getByText('Hace falta un asunto para enviar correos.')).toBeVisible()
  await expect(page.getByLabel('Asunto', { exact: true })).toBeFocused()
})

test('the editor works by the keyboard alone, and warns before changes are lost', async ({ page }) => {
  const name = `Con teclado ${stamp}`
  await page.goto('/automations/new')
  await tabTo(page, page.getByRole('link', { name: /^Recuperar clientes/ }))
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Nombre', { exact: true })
  await expect(field).toBeVisible()
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(name)
  await tabTo(page, page.getByLabel('Días sin venir'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('120')
  await tabTo(page, page.getByLabel('Canal', { exact: true }))
  await page.keyboard.type('SMS')
  await expect(page.getByLabel('Canal', { exact: true })).toHaveValue('sms')
  const body = page.getByLabel('Texto del mensaje', { exact: true })
  await tabTo(page, body)
  await page.keyboard.type('Vuelve pronto, ')
  const insert = page.getByRole('group', { name: 'Insertar: Texto del mensaje' }).getByRole('button').first()
  await tabTo(page, insert)
  await page.keyboard.press('Enter')
  await expect(body).toHaveValue('Vuelve pronto, {{ first_name | default: "cliente" }}')
  await expect(body).toBeFocused()
  await expect(page.getByText('1 SMS por persona', { exact: false })).toBeVisible()

  await page.getByRole('link', { name: 'Automatizaciones', exact: true }).last().focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: '¿Salir sin guardar?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(field).toHaveValue(name)

  await tabTo(page, page.getByRole('button', { name: 'Guardar desactivada' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ejecutar ahora' })).toBeDisabled()
})

test('an automation is changed and deleted; one that lacks its message is not activated', async ({
  page,
}) => {
  const name = `Sin texto ${stamp}`
  const id = await addAutomation(page, name, { body: '' })
  await page.goto(`/automations/${id}`)
  await page.getByRole('switch', { name: 'Activa' }).click({ force: true })
  await expect(page.getByText('No se puede activar: le falta el mensaje', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: 'Editar' }).click()
  await page.getByLabel('Texto del mensaje', { exact: true }).fill('Ya tiene texto.')
  await page.getByRole('link', { name: 'Clientes' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar' }).click()
  await page.getByRole('button', { name: 'Guardar y activar' }).click()
  await expect(page.getByText(`${name}: guardada y activa`)).toBeVisible()
  await page.getByRole('button', { name: 'Borrar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Borrar automatización' }).click()
  await expect(page.getByText(`Automatización borrada: ${name}`)).toBeVisible()
  await expect(page).toHaveURL(/\/automations$/)
  await page.goto(`/automations/${id}`)
  await expect(page.getByText('Esta automatización no existe')).toBeVisible()
})

test('a minimum spend is read as its reader writes it, and what is no number is not saved', async ({
  page,
}) => {
  await page.goto('/automations/new?type=vip_reward')
  await page.getByLabel('Nombre', { exact: true }).fill(`Mil euros ${stamp}`)
  const spend = page.getByLabel('O con gasto total desde (€)')
  await expect(spend).toHaveAttribute('type', 'text')
  await spend.fill('1.00.0')
  await expect(page.getByText('Escribe un número, como 12,50 o 1.000.')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar desactivada' }).click()
  await expect(page.getByText('No se ha guardado. Revisa lo señalado', { exact: false })).toBeVisible()
  await expect(spend).toBeFocused()
  await expect(spend).toHaveValue('1.00.0')
  // As an Englishman writes a thousand, which in Spanish would be 1.
  await spend.fill('1,000')
  await expect(page.getByText('mil se escribe 1.000', { exact: false })).toBeVisible()
  await spend.fill('1.000,50 €')
  await page.getByRole('button', { name: 'Guardar desactivada' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Mil euros ${stamp}` })).toBeVisible()
  const path = `/api${new URL(page.url()).pathname}`
  const stored = async () => (await (await page.request.get(path)).json()).data.criteria.min_spend
  expect(await stored()).toBe(1000.5)
  await page.goto(`${new URL(page.url()).pathname}/edit`)
  await expect(spend).toHaveValue('1000,5')
  await speakEnglish(page)
  await page.reload()
  const english = page.getByLabel('Or with a total spend from (€)')
  await expect(english).toHaveValue('1000.5')
  await english.fill('2,000')
  await page.getByRole('button', { name: 'Save, inactive' }).click()
  await expect.poll(stored).toBe(2000)
  await page.request.delete(path)
})

test('an editor that begins with a kind fits on a phone, and speaks English', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/automations/new?type=vip_reward')
  await expect(page.getByRole('region', { name: 'Vista previa' })).toContainText('Al día')
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await expect(page.getByRole('button', { name: 'Save and activate' })).toBeVisible()
  await expectNoSpanish(page)
})

test('addresses that make no sense fall back to the usual page', async ({ page }) => {
  const id = await addAutomation(page, `Raras ${stamp}`)
  for (const path of [
    '?type=x&status=y&cursor=zz',
    '/new?type=nope',
    `/${id}?days=7&run_id=x&status=z&cursor=%25&runs_cursor=q`,
  ]) {
    expect((await page.goto(`/automations${path}`))?.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Algo ha ido mal')).toHaveCount(0)
  }
  await page.goto('/automations/nonsense')
  await expect(page.getByText('Esta automatización no existe')).toBeVisible()
})
