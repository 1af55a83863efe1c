import type { APIRequestContext, Page } from '@playwright/test'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { book, choice, freeTables, locationId, serviceNow, stored } from './service-night'

const HOST = 'operaciones@demo.example'
test.use({ viewport: { width: 390, height: 844 } })

/** Opens tonight's service. */
async function openService(page: Page) {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const search = (name: string) => page.getByRole('searchbox', { name: /^Buscar por nombre/ }).fill(name)
  return { row, search }
}

/** The statuses that reservations were given after they were made, each with whose it is, in order of time. */
async function marksOf(api: APIRequestContext, parties: { id: string; name: string }[]): Promise<string[]> {
  const marks = await Promise.all(
    parties.map(async ({ id, name }) => {
      const { data } = await (await api.get(`/api/reservations/${id}/activity`)).json()
      return data
        .toReversed()
        .flatMap(({ at, status }: { at: string; status: { to: string } | null }) =>
          status ? [{ at, text: `${name}: ${status.to}` }] : [],
        )
    }),
  )
  return marks
    .flat()
    .sort((one, other) => one.at.localeCompare(other.at))
    .map(({ text }) => text)
}

test.beforeEach(({ signIn }) => signIn(HOST))

test('a party arrives, sits and leaves; the last tap is undone', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 5, { table_name: table })
  const { row, search } = await openService(page)
  await search(name)
  await row(name).getByRole('button', { name: 'Llegó' }).click()
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  await expect(row(name)).toContainText('En mesa')
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('seated')
  await row(name).getByRole('button', { name: 'Terminó' }).click()
  await expect(row(name)).toBeVisible()
  await expect(row(name).getByRole('button', { name: 'Terminó' })).toHaveCount(0)
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('completed')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(row(name)).toContainText('En mesa')
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('seated')
})

test('a party without a table gets one; a table that is taken warns', async ({ page }) => {
  const [taken, free] = await freeTables(page.request)
  const sits = await book(page.request, -10, { table_name: taken, status: 'seated' })
  const { id, name } = await book(page.request, 5, { table_name: null })
  const { row, search } = await openService(page)
  await search(name)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  const picker = page.getByRole('dialog', { name: `Mesa para ${name} · 4 personas` })
  await choice(picker, taken).click()
  await expect(picker.getByRole('alert')).toContainText(sits.name)
  await picker.getByRole('button', { name: 'Elegir otra mesa' }).click()
  await choice(picker, free).click()
  await expect(row(name)).toContainText('En mesa')
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(free)
})

test('a party whose table is taken is asked for another one', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const sits = await book(page.request, -10, { table_name: table, status: 'seated' })
  const { name } = await book(page.request, 5, { table_name: table })
  const { row, search } = await openService(page)
  await search(name)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  const picker = page.getByRole('dialog', { name: `Mesa para ${name} · 4 personas` })
  await expect(choice(picker, table)).toContainText(`Ocupada: ${sits.name}`)
})

test('a late party is marked as a no-show; a walk-in sits, and is undone', async ({ page }) => {
  const { id, name } = await book(page.request, -30, {})
  const { row, search } = await openService(page)
  await search(name)
  await row(name).getByRole('button', { name: 'No vino' }).click()
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('no_show')
  await page.getByRole('searchbox').fill('')

  const [table] = await freeTables(page.request)
  await page.getByRole('button', { name: 'Sin reserva', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '2', exact: true }).click()
  const walkIn = `García ${Math.random().toString(36).slice(2, 8)}`
  await dialog.getByLabel('Nombre (opcional)').fill(walkIn)
  await choice(dialog, table).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Sin reserva, 2 personas: sentadas')).toBeVisible()
  const states = async () =>
    (await serviceNow(page.request)).parties.flatMap((party: { name: string | null; status: string }) =>
      party.name === walkIn ? party.status : [],
    )
  await expect.poll(states).toEqual(['seated'])
  await search(walkIn)
  await expect(row(walkIn)).toContainText(`Mesa ${table}`)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(row(walkIn).getByText('Cancelada')).toBeVisible()
  await expect.poll(states).toEqual(['cancelled'])
})

test('a mark in one browser is in the other within 15 seconds', async ({ page, browser }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 5, { table_name: table })
  await page.clock.install()
  const { row } = await openService(page)
  const other = await browser.newContext({ storageState: await page.context().storageState() })
  const second = await other.newPage()
  await second.clock.install()
  await second.goto(page.url())
  await expect(second.getByRole('region', { name: 'Llegan' })).toContainText(name)
  const isStored = (status: string) =>
    expect.poll(async () => (await stored(page.request, id)).status).toBe(status)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  await isStored('seated')
  // By the page's own refresh, without an action in the second browser.
  await second.clock.fastForward(15_000)
  await expect(second.getByRole('region', { name: 'Sentados' })).toContainText(name)
  await second
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByRole('button', { name: 'Terminó' })
    .click()
  await isStored('completed')
  await page.clock.fastForward(15_000)
  await expect(row(name)).toBeVisible()
  await expect(row(name).getByRole('button', { name: 'Terminó' })).toHaveCount(0)
  await other.close()
})

test('a minute without a connection: the list stays and five taps wait; then each is sent once, in order', async ({
  page,
  context,
}) => {
  const [first, second] = await freeTables(page.request)
  const [a, b, c] = [
    await book(page.request, 5, { table_name: first }),
    await book(page.request, 6, { table_name: second }),
    await book(page.request, -20, {}),
  ]
  await page.clock.install()
  const { row } = await openService(page)
  const answers: Promise<{ data: { key: string; outcome: string }[] }>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/api/service/taps')) answers.push(response.json())
  })
  await context.setOffline(true)
  await row(a.name).getByRole('button', { name: 'Llegó' }).click()
  await row(a.name).getByRole('button', { name: 'Sentar' }).click()
  await row(a.name).getByRole('button', { name: 'Terminó' }).click()
  await row(b.name).getByRole('button', { name: 'Sentar' }).click()
  await row(c.name).getByRole('button', { name: 'No vino' }).click()
  await expect(page.getByText(/Sin conexión/)).toBeVisible()
  await expect(page.getByText('5 cambios por enviar')).toBeVisible()
  await expect(row(b.name)).toContainText('En mesa')
  // The minute goes by: every try to send fails, and nothing is lost or doubled.
  for (let tries = 0; tries < 6; tries++) await page.clock.runFor(10_000)
  await expect(page.getByText('5 cambios por enviar')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('cambios por enviar')).toHaveCount(0, { timeout: 20_000 })
  const answered = (await Promise.all(answers)).flatMap(({ data }) => data)
  expect(answered.map(({ outcome }) => outcome)).toEqual(Array(5).fill('saved'))
  expect(new Set(answered.map(({ key }) => key)).size).toBe(5)
  const statuses = await Promise.all([a, b, c].map(async ({ id }) => (await stored(page.request, id)).status))
  expect(statuses).toEqual(['completed', 'seated', 'no_show'])
  expect(await marksOf(page.request, [a, b, c])).toEqual([
    `${a.name}: seated`,
    `${a.name}: completed`,
    `${b.name}: seated`,
    `${c.name}: no_show`,
  ])
})

test('a tap that no longer fits is said by name', async ({ page, context }) => {
  const { id, name } = await book(page.request, 5, { table_name: 'T14' })
  const { row } = await openService(page)
  await context.setOffline(true)
  await row(name).getByRole('button', { name: 'Llegó' }).click()
  // The test's own requests have a connection.
  const cancelled = await page.request.patch(`/api/reservations/${id}`, { data: { status: 'cancelled' } })
  expect(cancelled.ok()).toBe(true)
  await context.setOffline(false)
  const alert = page.getByRole('alert').filter({ hasText: name })
  await expect(alert).toContainText(`Llegó: ${name}`, { timeout: 20_000 })
  await alert.getByRole('button', { name: 'Entendido' }).click()
  await expect(alert).toHaveCount(0)
})

test('of two devices that give one table, the second is told who has it, and may say yes', async ({
  page,
  context,
}) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 5, { table_name: null })
  const { row } = await openService(page)
  await context.setOffline(true)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  await choice(page.getByRole('dialog', { name: `Mesa para ${name} · 4 personas` }), table).click()
  await expect(row(name)).toContainText('En mesa')
  const first = await book(page.request, -5, { table_name: table, status: 'seated' })
  await context.setOffline(false)
  const alert = page.getByRole('alert').filter({ hasText: name })
  await expect(alert).toContainText(`Sentar: ${name}`, { timeout: 20_000 })
  await expect(alert).toContainText(`La mesa la tiene ${first.name}, de `)
  expect((await stored(page.request, id)).status).toBe('confirmed')
  await expectNoSidewaysScroll(page)
  expect(await violations(page)).toEqual([])
  await alert.getByRole('button', { name: 'Hacerlo igualmente' }).click()
  await expect(alert).toHaveCount(0)
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(table)
  expect((await stored(page.request, id)).status).toBe('seated')
})

test('a party joins the waitlist, is called, goes and comes back, and sits', async ({ page }) => {
  const name = `Espera ${Math.random().toString(36).slice(2, 8)}`
  const { row } = await openService(page)
  await page.getByRole('button', { name: 'Lista de espera' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lista de espera' })
  await dialog.getByLabel('Personas').fill('tres')
  await dialog.getByLabel('Teléfono').fill('12')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Entre 1 y 100 personas.')).toBeVisible()
  await expect(dialog.getByText('Escribe un nombre.')).toBeVisible()
  await expect(dialog.getByText('El teléfono no es válido.')).toBeVisible()
  await dialog.getByLabel('Personas').fill('3')
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByLabel('Teléfono').fill('600 11 12 22')
  await dialog.getByLabel('Espera (min)').fill('25')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toHaveCount(0)
  const waiting = page.getByRole('region', { name: 'En espera' })
  await expect(waiting).toContainText(name)
  await expect(row(name)).toContainText('se le dijo 25 min')
  const phone = row(name).getByRole('link', { name: '+34 600 11 12 22' })
  await expect(phone).toHaveAttribute('href', 'tel:+34600111222')
  await row(name).getByRole('button', { name: 'Avisar' }).click()
  await expect(row(name)).toContainText('Aviso simulado')
  await expect(row(name).getByRole('button', { name: 'Avisar' })).toHaveCount(0)

  await row(name)
    .getByRole('button', { name: `Más acciones: ${name}` })
    .click()
  await row(name).getByRole('button', { name: 'Se fue' }).click()
  await expect(row(name)).toHaveCount(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(waiting).toContainText(name)
  const [table] = await freeTables(page.request)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  // Another device gives the table away, and this one has not read it yet.
  await page.route('**/api/service?*', (route) => route.abort('internetdisconnected'))
  const first = await book(page.request, -5, { table_name: table, status: 'seated' })
  await choice(page.getByRole('dialog'), table).click()
  const question = page.getByRole('alert').filter({ hasText: `La mesa la tiene ${first.name}, de ` })
  await expect(question).toContainText('Sigue en la lista de espera')
  await question.getByRole('button', { name: 'Hacerlo igualmente' }).click()
  await page.unroute('**/api/service?*')
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(name)
})

test('the service speaks English, fits a phone, and is for those who may see it', async ({
  page,
  signIn,
  context,
}) => {
  await openService(page)
  await speakEnglish(page)
  // A party without a name is called the same, and its menu names it.
  await expect(page.getByRole('button', { name: 'Walk-in', exact: true })).toBeVisible()
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
  await context.clearCookies()
  await signIn('rrhh@demo.example')
  await page.goto('/service')
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})
