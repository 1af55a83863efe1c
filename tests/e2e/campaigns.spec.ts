import type { APIRequestContext, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { tabTo } from './keyboard'

const stamp = Date.now().toString(36)
// One word: it is chosen by typing.
const SEGMENT = `Amigos-${stamp}`
const NAMES = ['Alba', 'Bruno', 'Celia', 'Dora']
/** Above so many guests a colleague has to approve. */
const LIMIT = 3

let segmentId = ''

/** A segment with guests of its own: those who were written to are left out for some days. */
async function givenSegment(request: APIRequestContext, name: string, count: number): Promise<string> {
  for (const first_name of NAMES.slice(0, count)) {
    const guest = {
      first_name,
      last_name: `Campaña ${name}`,
      email: `${first_name}-${name}@correo.example`.toLowerCase(),
      tags: [name.toLowerCase()],
      consent: { email: { basis: 'opt_in', reason: 'Lo pidió en la barra' } },
    }
    expect((await request.post('/api/customers', { data: guest })).status()).toBe(201)
  }
  const data = { name, shared: true, definition: { field: 'tags', is: 'any', tags: [name.toLowerCase()] } }
  const made = await request.post('/api/segments', { data })
  expect(made.status(), await made.text()).toBe(201)
  return (await made.json()).data.id
}

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext()
  const { request } = context
  const data = { email: 'admin@demo.example', password: DEMO_PASSWORD }
  expect((await request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
  // At any time of day, messages go out at once.
  const settings = { quiet_from: '00:00', quiet_until: '00:00', campaign_approve_above: LIMIT }
  expect((await request.patch('/api/organization', { data: settings })).ok()).toBe(true)
  segmentId = await givenSegment(request, SEGMENT, 4)
  await context.close()
})

test.afterAll(async ({ browser }) => {
  const context = await browser.newContext()
  const data = { email: 'admin@demo.example', password: DEMO_PASSWORD }
  await context.request.post('/api/auth/sign-in', { data })
  await context.request.patch('/api/organization', { data: { campaign_approve_above: 5000 } })
  const other = { email: 'super@demo.example', password: DEMO_PASSWORD }
  expect((await context.request.post('/api/auth/sign-in', { data: other })).ok()).toBe(true)
  const path = '/api/organization/pending/campaign_approve_above/approve'
  expect((await context.request.post(path)).ok()).toBe(true)
  await context.close()
})

test.beforeEach(({ signIn }) => signIn('marketing@demo.example'))

async function givenCampaign(page: Page, name: string, more: object = {}): Promise<string> {
  const messages = [{ step: 1, channel: 'email', subject: 'Menú de otoño', body: 'Hola, {{ first_name }}.' }]
  const data = { name, segment_id: segmentId, control_share: 0, messages, ...more }
  const response = await page.request.post('/api/campaigns', { data })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()).data.id
}

/** How the form says which of two guests receive which version: the campaign's own draw decides. */
async function sidesInWords(request: APIRequestContext, id: string, segment_id: string): Promise<string> {
  const message = { step: 1, channel: 'email', subject: 'Menú de otoño', body: 'Hola, {{ first_name }}.' }
  const ab = { test_share: 100, winner_by: 'visits', test_hours: 24 }
  const messages = [message, { ...message, variant: 'b' }]
  const data = { id, segment_id, control_share: 0, ab, messages }
  const response = await request.post('/api/campaigns/preview', { data })
  expect(response.status(), await response.text()).toBe(200)
  const { a, b } = (await response.json()).data.variants
  expect(a + b).toBe(2)
  return `${guests(a)} ${a === 1 ? 'recibe' : 'reciben'} la versión A y ${guests(b)} la B; no queda resto.`
}
const guests = (count: number) => `${count} ${count === 1 ? 'cliente' : 'clientes'}`

const preview = (page: Page) => page.getByRole('region', { name: 'A quién y cómo llega' })
const step = (page: Page, title: string) => page.getByRole('region', { name: title })

test('what is wrong is said while it is written, blocks the launch, and is mended', async ({ page }) => {
  const segment_id = await givenSegment(page.request, `Avisados-${stamp}`, 2)
  const messages = [
    { step: 1, channel: 'email', subject: 'Hola {{ nombre }}', body: 'Tienes {{ puntos }} puntos.' },
  ]
  const id = await givenCampaign(page, `Con errores ${stamp}`, { segment_id, messages })
  await page.goto(`/campaigns/${id}`)
  const check = page.getByRole('region', { name: 'Comprobación antes de enviar' })
  await expect(check.getByRole('listitem')).toHaveText([
    'Asunto. Usa una variable que no existe: elige una de las que ofrece el editor.',
    'Texto. Usa una variable que no existe: elige una de las que ofrece el editor.',
  ])
  const review = page.getByRole('region', { name: 'Revisar y lanzar' })
  await expect(review.getByRole('button', { name: 'Enviar a 2 clientes' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await review.getByRole('link', { name: 'Ir al editor' }).click()
  await page.getByLabel('Asunto', { exact: true }).fill('Otoño')
  await expect(check.getByRole('listitem')).toHaveCount(1)
  await page.getByLabel('Texto del mensaje', { exact: true }).fill('Hay setas.')
  await expect(check).toContainText('Todo en orden.')
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()
  await review.getByRole('button', { name: 'Enviar a 2 clientes' }).click()
  await expect(page.getByRole('main')).toContainText('Terminada', { timeout: 30_000 })
})

test('from a segment to its results: written, seen as a guest, approved by a colleague, sent', async ({
  page,
  signIn,
}) => {
  const name = `Menú de otoño ${stamp}`
  await page.goto(`/customers/segments/${segmentId}`)
  await page.getByRole('link', { name: 'Crear campaña' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Nueva campaña' })).toBeVisible()
  await expect(page.getByLabel('Segmento de clientes')).toHaveValue(segmentId)
  await page.getByLabel('Nombre de la campaña').fill(name)
  await expect(page.getByText('4 clientes ahora mismo')).toBeVisible()
  await page.getByLabel('Grupo de control (%)').fill('0')
  const what = step(page, '2. Qué se le dice')
  await what.getByLabel('Asunto', { exact: true }).fill('Llega el menú de otoño')
  const body = what.getByLabel('Texto del mensaje', { exact: true })
  await body.fill('Hola, ')
  await what
    .getByRole('group', { name: 'Insertar: Texto del mensaje' })
    .getByRole('button', { name: 'Nombre', exact: true })
    .click()
  await expect(body).toHaveValue('Hola, {{ first_name | default: "cliente" }}')

  // As one of the guests, and as someone who would not get it.
  await preview(page).getByLabel('Verla como un cliente').fill(`Celia Campaña ${SEGMENT}`)
  await preview(page).getByRole('option').first().click()
  await expect(preview(page)).toContainText('La recibiría.')
  await expect(preview(page).frameLocator('iframe').getByText('Hola, Celia', { exact: true })).toBeVisible()
  await expect(preview(page)).toContainText(/La recibirían\s*4/)

  // What is typed survives a reload.
  await page.reload()
  await expect(page.getByText('Recuperado lo que estabas escribiendo', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Nombre de la campaña')).toHaveValue(name)
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const review = page.getByRole('region', { name: 'Revisar y lanzar' })
  await expect(review).toContainText(
    `Escribirás a 4 clientes del segmento «${SEGMENT}», por correo, en cuanto se lance.`,
  )
  await expect(review).toContainText('Son más de 3 clientes: antes de salir tiene que aprobarla otra persona')
  await page.getByRole('button', { name: 'Enviarme una prueba' }).click()
  await expect(page.getByText('Prueba simulada: marketing@demo.example no la recibirá')).toBeVisible()
  await review.getByRole('button', { name: 'Pedir aprobación para 4 clientes' }).click()
  await expect(page.getByText('La has lanzado tú y espera aprobación', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retirar campaña' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Aprobar campaña' })).toHaveCount(0)
  const address = page.url()

  await page.goto('about:blank')
  await page.context().clearCookies()
  await signIn('ceo@demo.example')
  await page.goto('/campaigns?status=waiting_approval')
  const waiting = page.getByRole('row', { name: new RegExp(name) })
  await expect(waiting).toContainText('Espera aprobación')
  await page.getByRole('button', { name: /^Avisos/ }).click()
  await expect(page.getByRole('link', { name: /campañas? esperan? tu aprobación/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await waiting.getByRole('link', { name }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByText('Marta Soler quiere escribir a 4 clientes.')).toBeVisible()
  await expect(preview(page)).toContainText('Llega el menú de otoño')
  await page.getByRole('button', { name: 'Aprobar campaña' }).click()

  // Sent by the sandbox: the page follows by itself until it is over.
  await expect(page.getByRole('main')).toContainText('Terminada', { timeout: 30_000 })
  await expect(page.getByRole('main')).toContainText('La aprobó Carmen Echevarría')
  const messages = page.getByRole('table', { name: 'Mensajes de la campaña y qué pasó con ellos' })
  await expect(messages.getByRole('row', { name: /Primer mensaje/ })).toContainText('4')
  await expect(page.getByText('Reservas atribuidas')).toBeVisible()
  await expect(page.getByRole('region', { name: /^Lo que aporta/ })).toContainText(
    'no tiene grupo de control',
  )
  await page.goto('/campaigns')
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText(
    '4 mensajes simulados (no salieron)',
  )
})

test('a campaign with a test and follow-ups is paused, resumed and stopped', async ({ page }) => {
  const name = `En dos versiones ${stamp}`
  const segment_id = await givenSegment(page.request, `Pocos-${stamp}`, 2)
  const id = await givenCampaign(page, name, { segment_id })
  await page.goto(`/campaigns/${id}`)
  await page.getByRole('link', { name: 'Editar' }).click()
  await page.getByLabel('Probar dos versiones').check()
  const second = step(page, '3. Prueba A/B')
  // It begins with the text of the first.
  await expect(second.getByLabel('Asunto', { exact: true })).toHaveValue('Menú de otoño')
  await second.getByLabel('Asunto', { exact: true }).fill('¿Setas o caza?')
  await second.getByLabel('En la prueba (%)').fill('100')
  await expect(second).toContainText(await sidesInWords(page.request, id, segment_id))
  await expect(second).toContainText('Son demasiado pocos para ver ninguna diferencia')
  await page.getByRole('button', { name: 'Añadir seguimiento' }).click()
  const later = page.getByRole('group', { name: 'Seguimiento 1' })
  await later.getByLabel('Días después del primer mensaje').fill('70')
  await later.getByLabel('Asunto', { exact: true }).fill('Aún queda sitio')
  await later.getByLabel('Texto del mensaje', { exact: true }).fill('Te esperamos, {{ first_name }}.')
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()
  await expect(later).toContainText('Un número entero entre 1 y 60.')
  await later.getByLabel('Días después del primer mensaje').fill('4')
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()

  const review = page.getByRole('region', { name: 'Revisar y lanzar' })
  await expect(review).toContainText('Escribirás a 2 clientes')
  await expect(review).toContainText('un seguimiento solo a quienes no hayan reservado: a los 4 días.')
  await review.getByRole('button', { name: 'Enviar a 2 clientes' }).click()
  const watch = page.getByRole('region', { name: 'Campaña en marcha' })
  await expect(watch).toContainText('2 simulados (no salieron)', { timeout: 30_000 })
  await expect(page.getByRole('region', { name: 'Prueba A/B' })).toContainText(
    /demasiado pocos datos|no se conoce ninguna diferencia/,
  )
  await watch.getByRole('button', { name: 'Poner en pausa' }).click()
  const paused = page.getByRole('region', { name: 'Campaña en pausa' })
  await expect(paused).toContainText('Alguien del equipo la ha puesto en pausa.')
  await paused.getByRole('button', { name: 'Reanudar' }).click()
  await watch.getByRole('button', { name: 'Parar para siempre' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Parar la campaña' }).click()
  await expect(page.getByRole('main')).toContainText('La paró Marta Soler')
  await page.getByRole('button', { name: 'Copiar' }).click()
  await expect(page).toHaveURL(/\/edit$/)
  await expect(page.getByLabel('Probar dos versiones')).toBeChecked()
})

test('a new draft moves to its own address, and keeps what was typed', async ({ page }) => {
  const name = `Primer guardado ${stamp}`
  await page.goto('/campaigns')
  await page.getByRole('main').getByRole('link', { name: 'Nueva campaña' }).first().click()
  await page.getByLabel('Nombre de la campaña').fill(name)
  await page.getByLabel('Segmento de clientes').selectOption(segmentId)
  const subject = page.getByLabel('Asunto', { exact: true })
  const body = page.getByLabel('Texto del mensaje', { exact: true })
  await subject.fill('Setas de temporada')
  await body.fill('Hola, {{ first_name }}: ya hay setas.')
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(page).toHaveURL(/\/campaigns\/[0-9a-f-]{36}\/edit$/)
  await expect(page.getByRole('heading', { level: 1, name: `Editar ${name}` })).toBeVisible()
  await expect(page.getByLabel('Segmento de clientes')).toHaveValue(segmentId)
  await expect(subject).toHaveValue('Setas de temporada')
  await expect(body).toHaveValue('Hola, {{ first_name }}: ya hay setas.')
  await expect(preview(page)).toContainText('Al día')
  // The second time it is a change of the same campaign.
  await subject.fill('Setas y trufa')
  await expect(page.getByText('Hay cambios sin guardar')).toBeVisible()
  // Back at the very moment the page says that it is saved: nothing may hold the person there.
  await page.evaluate(() => {
    const saved = new MutationObserver(() => {
      if (document.body.textContent.includes('Hay cambios sin guardar')) return
      saved.disconnect()
      window.history.back()
    })
    saved.observe(document.body, { subtree: true, childList: true })
  })
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(page).toHaveURL(/\/campaigns$/)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toHaveCount(1)
  await row.getByRole('link', { name }).click()
  await page.getByRole('link', { name: 'Editar' }).click()
  await expect(subject).toHaveValue('Setas y trufa')
})

test('a time is warned about, a scheduled campaign taken back, a draft deleted', async ({ page }) => {
  const name = `A su hora ${stamp}`
  const four = `Cuatro-${stamp}`
  const segment_id = await givenSegment(page.request, four, 4)
  const id = await givenCampaign(page, name, { segment_id })
  await page.goto(`/campaigns/${id}/edit`)
  await page.getByLabel('Cuándo', { exact: true }).selectOption('Un día y a una hora')
  const start = page.getByLabel('Día y hora')
  await start.fill('2020-01-01T11:00')
  await expect(page.getByText('Esa hora ya ha pasado: elige otra.')).toBeVisible()
  const year = new Date().getFullYear() + 1
  await start.fill(`${year}-03-02T11:00`)
  await expect(page.getByText('Esa hora ya ha pasado: elige otra.')).toHaveCount(0)
  await page.getByLabel('Segmento de clientes').selectOption('Elige un segmento')
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()
  await expect(page.getByRole('region', { name: 'Revisar y lanzar' })).toContainText('(sin elegir)')
  await page.getByRole('link', { name: 'Editar' }).click()
  await page.getByLabel('Segmento de clientes').selectOption(four)
  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()
  const review = page.getByRole('region', { name: 'Revisar y lanzar' })
  await expect(review).toContainText(`2 de marzo de ${year} a las 11:00 de cada local`)
  await review.getByRole('button', { name: 'Pedir aprobación para 4 clientes' }).click()
  await page.getByRole('button', { name: 'Retirar campaña' }).click()
  await expect(page.getByRole('main')).toContainText('Borrador')
  await page.getByRole('button', { name: 'Borrar borrador' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Borrar campaña' }).click()
  await expect(page).toHaveURL(/\/campaigns$/)
  await page.goto(`/campaigns/${id}`)
  await expect(page.getByText('Esta campaña no existe')).toBeVisible()
})

test('a new segment is made on the way, and two people do not overwrite each other', async ({ page }) => {
  const name = `A cuatro manos ${stamp}`
  const id = await givenCampaign(page, name, { segment_id: null })
  await page.goto(`/campaigns/${id}/edit`)
  await page.getByRole('button', { name: 'Guardar y crear un segmento' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Nuevo segmento' })).toBeVisible()
  await expect(page.getByLabel('Compartir con el grupo')).toBeChecked()
  await page.getByLabel('Nombre', { exact: true }).fill(`De camino ${stamp}`)
  const condition = page.getByRole('group', { name: 'Condición 1', exact: true })
  await condition.getByLabel('Sobre qué').selectOption('tags')
  await condition.getByRole('combobox', { name: 'Etiquetas de la condición' }).fill(SEGMENT.toLowerCase())
  await condition.getByRole('combobox', { name: 'Etiquetas de la condición' }).press('Enter')
  await page.getByRole('button', { name: 'Guardar el segmento' }).click()
  await expect(page).toHaveURL(new RegExp(`/campaigns/${id}/edit`))
  await expect(page.getByLabel('Segmento de clientes').locator('option:checked')).toHaveText(
    `De camino ${stamp}`,
  )

  const { version } = (await (await page.request.get(`/api/campaigns/${id}`)).json()).data
  const theirs = { version, name: `Otro nombre ${stamp}` }
  expect((await page.request.patch(`/api/campaigns/${id}`, { data: theirs })).ok()).toBe(true)
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(page.getByText('Otra persona ha guardado esta campaña', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Quedarme con lo mío' }).click()
  await page.getByRole('button', { name: 'Guardar borrador' }).click()
  await expect(page.getByText(`${name}: borrador guardado`)).toBeVisible()
  const saved = (await (await page.request.get(`/api/campaigns/${id}`)).json()).data
  expect(saved).toMatchObject({ name, segment_name: `De camino ${stamp}` })
})

test('a campaign is written and launched by the keyboard alone', async ({ page }) => {
  const name = `Con teclado ${stamp}`
  // The only one with this letter: several keys would have to come within a second of each other.
  const own = `Zurcido-${stamp}`
  const segment_id = await givenSegment(page.request, own, 4)
  await page.goto('/campaigns')
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Nueva campaña' }).first())
  await page.keyboard.press('Enter')
  const field = page.getByLabel('Nombre de la campaña')
  await expect(field).toBeVisible()
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(name)
  await tabTo(page, page.getByLabel('Segmento de clientes'))
  await page.keyboard.press('z')
  await expect(page.getByLabel('Segmento de clientes')).toHaveValue(segment_id)
  await tabTo(page, page.getByLabel('Grupo de control (%)'))
  await page.keyboard.type('0')
  await tabTo(page, page.getByLabel('Asunto', { exact: true }))
  await page.keyboard.type('Hola')
  await tabTo(page, page.getByLabel('Texto del mensaje', { exact: true }))
  await page.keyboard.type('Vuelve pronto.')
  await tabTo(page, page.getByRole('button', { name: 'Revisar y lanzar' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const launch = page.getByRole('button', { name: 'Pedir aprobación para 4 clientes' })
  await expect(launch).toBeEnabled()
  await tabTo(page, launch)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toContainText('La has lanzado tú y espera aprobación')
})

test('a draft fits on a phone, everybody can use it, and it speaks English', async ({ page }) => {
  const id = await givenCampaign(page, `Móvil ${stamp}`)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/campaigns/${id}`)
  await expect(preview(page)).toContainText('Al día')
  await expectNoSidewaysScroll(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await changeScheme(page, colorScheme)
    expect(await violations(page)).toEqual([])
  }
  await speakEnglish(page)
  await expect(page.getByRole('region', { name: 'Who gets it, and how' })).toContainText('Up to date')
  await expectNoSpanish(page)
})

test('addresses that make no sense fall back to the usual page', async ({ page }) => {
  const id = await givenCampaign(page, `Raras ${stamp}`)
  for (const path of ['?status=x&cursor=zz', '/new?segment_id=nope', `/${id}/edit?segment_id=%25`]) {
    expect((await page.goto(`/campaigns${path}`))?.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Algo ha ido mal')).toHaveCount(0)
  }
  await page.goto('/campaigns/nonsense')
  await expect(page.getByText('Esta campaña no existe')).toBeVisible()
})
