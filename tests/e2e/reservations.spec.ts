import type { Page } from '@playwright/test'
import { addDays } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, openFilters, speakEnglish, test } from './fixtures'
import { YES } from './service-night'
import { VENUE_ZONE } from './venue-zone'

const host = 'operaciones@demo.example'
const VIEWS = ['/reservations', '/reservations?view=timeline', '/reservations?view=week']

/** The first bar of the timeline, by location and time. */
const firstBar = (page: Page) =>
  page.getByRole('region', { name: 'Reservas por hora' }).locator('a[href*="reservation="]').first()

test('by hour: covers, the time of the location, and a drawer that Back and Escape close', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  await page.goto('/reservations')
  await page.getByRole('navigation', { name: 'Vista' }).getByRole('link', { name: 'Por horas' }).click()
  await expect(page).toHaveURL(/view=timeline/)
  const hours = page.getByRole('list', { name: 'Comensales por hora de llegada' }).getByRole('listitem')
  expect(await hours.count()).toBeGreaterThan(5)
  await expect(hours.filter({ hasText: '21 h' })).toContainText(/\d+ comensales/)
  // Lunch and dinner are booked every day: between them the clock is on the axis.
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Madrid', hour: '2-digit' }).format(new Date()),
  )
  if (hour >= 15 && hour <= 22) await expect(page.getByText(/^Ahora, \d\d:\d\d$/).first()).toBeVisible()

  const bar = firstBar(page)
  const dialog = page.getByRole('dialog')
  await bar.click()
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/reservation=[\da-f-]{36}/)
  const linked = page.url()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/view=timeline$/)
  await bar.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/view=timeline$/)
  await expect(bar).toBeFocused()
  // A shared link has no list to go back to.
  await page.goto(linked)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/view=timeline$/)
})

test('the list is narrowed by no-show risk, with the reasons, on a phone too', async ({ page, signIn }) => {
  const name = `Falta ${Date.now().toString(36)}`
  await signIn('admin@demo.example')
  // A location without a history: how much a guest's own weighs depends on how much its guests differ.
  const made = await page.request.post('/api/locations', { data: { name } })
  expect(made.status(), await made.text()).toBe(201)
  const place = (await made.json()).data.id
  await signIn(host)
  const guest = await page.request.post('/api/customers', { data: { first_name: 'Rafa', last_name: name } })
  const customer_id = (await guest.json()).data.id
  const book = async (date: string) => {
    const data = {
      ...{ location_id: place, customer_id, customer_name: `Rafa ${name}` },
      ...{ reservation_date: date, reservation_time: '21:00', party_size: 2, confirm: YES },
    }
    const made = await page.request.post('/api/reservations', { data })
    expect(made.status(), await made.text()).toBe(201)
    return (await made.json()).data.id
  }
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  for (const ago of [10, 11, 12, 13, 14, 15, 16, 17]) {
    const id = await book(day(-ago))
    const missed = await page.request.patch(`/api/reservations/${id}`, { data: { status: 'no_show' } })
    expect(missed.ok(), await missed.text()).toBe(true)
  }
  await book(day(3))
  const facts = { facts: [{ code: 'gluten', note: 'Celíaco' }] }
  expect((await page.request.put(`/api/customers/${customer_id}/facts`, { data: facts })).ok()).toBe(true)
  await page.goto(`/reservations?date=${day(3)}&location=${place}`)
  await openFilters(page)
  await page.getByLabel('Riesgo de no presentarse').selectOption('Riesgo alto')
  await expect(page).toHaveURL(/risk=high/)
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Riesgo alto de no presentarse')
  await expect(row).toContainText('no se presentó en 8 de 8 reservas')
  await expect(page.getByText('La mayoría viene.', { exact: false })).toBeVisible()
  // An allergy that was recorded is seen wherever the guest is expected.
  await expect(row).toContainText('Alergia: gluten (Celíaco)')
  await row.getByRole('link', { name: /ver la reserva de/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Alergia: gluten (Celíaco)')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row).toContainText('no se presentó en 8 de 8 reservas')
  await expectNoSidewaysScroll(page)
  expect(await violations(page)).toEqual([])
  // The risk of what is over is not known.
  await page.goto(`/reservations?date=${day(-10)}&location=${place}`)
  await expect(page.getByLabel('Riesgo de no presentarse')).toHaveCount(0)
  await page.goto(`/reservations?date=${day(-10)}&location=${place}&risk=high`)
  await expect(page.getByText('Ninguna reserva coincide')).toBeVisible()
  await signIn('admin@demo.example')
  const closed = await page.request.patch(`/api/locations/${place}`, { data: { is_active: false } })
  expect(closed.ok(), await closed.text()).toBe(true)
})

test('a reservation of the PMS shows who comes and says what the PMS keeps', async ({ page, signIn }) => {
  await signIn(host)
  await page.goto('/reservations?source=pms')
  // Whoever left contact data has a profile.
  const row = page
    .getByRole('row')
    .filter({ has: page.locator('a[href^="/customers/"]') })
    .first()
  const name = (await row.locator('a[href^="/customers/"]').textContent()) ?? ''
  await row.getByRole('link', { name: /ver la reserva de/ }).click()
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toContainText('El PMS gestiona los demás datos')
  await expect(dialog.getByRole('button', { name: 'Editar' })).toHaveCount(0)
  const guest = dialog.getByRole('region', { name: 'Cliente' })
  await expect(guest).toContainText('Visitas')
  await expect(guest).toContainText('Gasto total')
  await expect(guest.getByRole('heading', { name: 'Últimas reservas' })).toBeVisible()
  await guest.getByRole('link', { name: 'Ver ficha' }).click()
  await expect(page.getByRole('heading', { name: 'Cronología' })).toBeVisible()
})

test('a reservation is made by hand, changed and moved on, with errors at the field', async ({
  page,
  signIn,
}) => {
  const name = `Prueba ${Date.now()}`
  await signIn(host)
  await page.goto(`/reservations?date=${currentServiceDay(VENUE_ZONE)}`)
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const form = page.getByRole('dialog', { name: 'Nueva reserva' })
  await form.getByLabel('Personas').fill('0')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Escribe un nombre o elige un cliente.')).toBeVisible()
  await expect(form.getByText('Elige uno de tus locales.')).toBeVisible()
  await expect(form.getByText('Elige la hora.')).toBeVisible()
  await expect(form.getByText('De 1 a 500 personas.')).toBeVisible()
  await expect(form.getByLabel('Nombre')).toBeFocused()
  await form.getByLabel('Nombre').fill(name)
  await form.getByLabel('Teléfono').fill('12')
  await form.getByLabel('Local').selectOption('Casa Lumbre Chamberí')
  await form.getByLabel('Hora').fill('21:45')
  await form.getByLabel('Personas').fill('3')
  await form.getByLabel('Notas').fill('Trona')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('No es un teléfono válido.')).toBeVisible()
  await expect(form.getByLabel('Nombre')).toHaveValue(name)
  await form.getByLabel('Teléfono').fill('')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText(`Reserva creada: ${name}, 21:45`)).toBeVisible()
  await expect(form).toHaveCount(0)

  await page.getByRole('searchbox').fill(name)
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row).toContainText('Confirmada')
  await row.getByRole('link', { name: /ver la reserva de/ }).click()
  const drawer = page.getByRole('dialog', { name })
  await expect(drawer).toContainText('3 personas')
  await expect(drawer).toContainText('Hecha a mano')
  await drawer.getByRole('button', { name: 'Sentar' }).click()
  await expect(page.getByText('Mesa sentada')).toBeVisible()
  await expect(drawer.getByText('Sentada', { exact: true })).toBeVisible()

  await drawer.getByRole('button', { name: 'Editar' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar reserva' })
  await edit.getByLabel('Personas').fill('501')
  await edit.getByRole('button', { name: 'Guardar' }).click()
  await expect(edit.getByText('De 1 a 500 personas.')).toBeVisible()
  await edit.getByLabel('Personas').fill('5')
  await edit.getByRole('button', { name: 'Guardar' }).click()
  await expect(edit).toHaveCount(0)
  await expect(drawer).toContainText('5 personas')
  await page.keyboard.press('Escape')
  await expect(row.getByRole('cell', { name: '5', exact: true })).toBeVisible()
})

test('whose booking it is, and whether an amount is right, is asked on a phone and answered with the keyboard', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  const last_name = `Dueña ${Date.now().toString(36)}`
  const phone = `+346${String(Date.now()).slice(-8)}`
  const data = { first_name: 'Berta', last_name, phone }
  expect((await page.request.post('/api/customers', { data })).status()).toBe(201)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/reservations')
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const form = page.getByRole('dialog', { name: 'Nueva reserva' })
  const name = `Otto ${Date.now().toString(36)}`
  await form.getByLabel('Nombre').fill(name)
  await form.getByLabel('Teléfono').fill(phone)
  await form.getByLabel('Local').selectOption('Casa Lumbre Chamberí')
  await form.getByLabel('Hora').fill('21:15')
  await form.getByRole('button', { name: 'Guardar' }).click()
  const question = page.getByRole('alertdialog', { name: '¿De quién es la reserva?' })
  await expect(question.getByRole('button', { name: `Es de Berta ${last_name}` })).toBeVisible()
  await expectNoSidewaysScroll(page)
  expect(await violations(page)).toEqual([])
  // Closed without an answer, the form is as it was.
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel('Nombre')).toHaveValue(name)
  await form.getByRole('button', { name: 'Guardar' }).press('Enter')
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(question.getByRole('button', { name: 'Guardar sin cliente' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Reserva creada: ${name}, 21:15`)).toBeVisible()

  await page.goto(`/reservations?source=manual&search=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name: new RegExp(`ver la reserva de ${name}`) }).click()
  await page.getByRole('dialog', { name }).getByRole('button', { name: 'Editar' }).click()
  const edit = page.getByRole('dialog', { name: 'Editar reserva' })
  await edit.getByLabel('Importe').fill('99999')
  await edit.getByRole('button', { name: 'Guardar' }).click()
  const amount = page.getByRole('alertdialog', { name: '¿Guardar de todas formas?' })
  await amount.getByRole('button', { name: 'Sí, guardar' }).click()
  await expect(edit).toHaveCount(0)
  await expect(page.getByRole('dialog', { name })).toContainText('99.999')
})

test('a time after midnight is of the night that is shown, and a night that is over asks first', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  const night = addDays(currentServiceDay(VENUE_ZONE), 3)
  const name = `Noche ${Date.now().toString(36)}`
  await page.goto(`/reservations?date=${night}`)
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const form = page.getByRole('dialog', { name: 'Nueva reserva' })
  await form.getByLabel('Nombre').fill(name)
  await form.getByLabel('Local').selectOption('Casa Lumbre Chamberí')
  await form.getByLabel('Hora').fill('00:30')
  await expect(form.getByText(/^Madrugada del [a-záé]+ \d+, servicio del [a-záé]+ \d+\.$/)).toBeVisible()
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText(`Reserva creada: ${name}, 00:30`)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('00:30')

  await page.goto(`/reservations?date=${addDays(night, -5)}`)
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  await form.getByLabel('Nombre').fill(`${name} tarde`)
  await form.getByLabel('Local').selectOption('Casa Lumbre Chamberí')
  await form.getByLabel('Hora').fill('21:00')
  await form.getByRole('button', { name: 'Guardar' }).click()
  const question = page.getByRole('alertdialog', { name: '¿Guardar de todas formas?' })
  await expect(question).toContainText(
    'Ese servicio ya ha terminado: cambiarán sus comensales y su facturación.',
  )
  expect(await violations(page)).toEqual([])
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(form.getByLabel('Nombre')).toHaveValue(`${name} tarde`)
  await form.getByRole('button', { name: 'Guardar' }).click()
  await question.getByRole('button', { name: 'Sí, guardar' }).click()
  await expect(page.getByText(`Reserva creada: ${name} tarde, 21:00`)).toBeVisible()
})

test('a customer is found while typing and chosen with the keyboard', async ({ page, signIn }) => {
  await signIn(host)
  await page.goto('/reservations')
  const best = await (await page.request.get('/api/customers?sort=visits&limit=1')).json()
  const { first_name, last_name } = best.data[0]
  const name = [first_name, last_name].filter(Boolean).join(' ')
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const form = page.getByRole('dialog', { name: 'Nueva reserva' })
  const field = form.getByRole('combobox', { name: 'Nombre' })
  // At once: between two keys the list of the first letters could stand, and go when that of the whole name comes.
  await field.fill(name)
  const first = form.getByRole('listbox', { name: 'Clientes encontrados' }).getByRole('option').first()
  // The page writes names that the PMS sends in capitals like others.
  await expect(first).toContainText(name, { ignoreCase: true })
  await page.keyboard.press('ArrowDown')
  await expect(field).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? '')
  await page.keyboard.press('Enter')
  await expect(form.getByRole('button', { name: 'Cambiar' })).toBeVisible()
  await expect(form.getByLabel('Teléfono')).toHaveCount(0)
  await form.getByLabel('Local').selectOption('Casa Lumbre Chamberí')
  await form.getByLabel('Hora').fill('22:15')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText(`Reserva creada: ${name}, 22:15`)).toBeVisible()
  await page.goto(`/reservations?source=manual&search=${encodeURIComponent(name)}`)
  await page
    .getByRole('link', { name: `22:15: ver la reserva de ${name}` })
    .first()
    .click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Cliente' })).toContainText(name, {
    ignoreCase: true,
  })
})

test('floor staff see the way to a guest’s card as a button', async ({ page, signIn }) => {
  await signIn('sala@demo.example')
  const { data } = await (await page.request.get('/api/reservations?limit=100')).json()
  const known = data.find(({ customer_id }: { customer_id: string | null }) => customer_id !== null)
  await page.goto(`/reservations?reservation=${known.id}`)
  const card = page.getByRole('dialog').getByRole('link', { name: 'Ver la ficha del cliente' })
  await expect(card).toHaveCSS('border-top-style', 'solid')
  await card.click()
  await expect(page).toHaveURL(new RegExp(`/service/guests/${known.customer_id}`))
})

test('a week adds up to what the figures say, and each day leads to its list', async ({ page, signIn }) => {
  await signIn(host)
  await page.goto('/reservations?view=week')
  await page.getByRole('link', { name: 'Semana anterior' }).click()
  await expect(page).toHaveURL(/date=/)
  const date = new URL(page.url()).searchParams.get('date') ?? ''
  const monday = new Date(`${date}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const from = monday.toISOString().slice(0, 10)
  const to = new Date(monday.getTime() + 6 * 86_400_000).toISOString().slice(0, 10)
  const stats = await (await page.request.get(`/api/stats/overview?from=${from}&to=${to}`)).json()
  const { covers, no_shows } = stats.data.totals
  expect(covers).toBeGreaterThan(100)
  const table = page.getByRole('table', { name: /Comensales, reservas y no presentados/ })
  const total = table
    .getByRole('row', { name: /^Total/ })
    .getByRole('cell')
    .last()
  await expect(total).toContainText(
    `, ${covers.toLocaleString('es-ES')} comensales, ${no_shows} no presentado`,
  )
  const wednesday = new Date(monday.getTime() + 2 * 86_400_000).toISOString().slice(0, 10)
  await table.getByRole('columnheader').nth(3).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/reservations\\?date=${wednesday}`))
  await expect(page.getByRole('table', { name: 'Reservas del día por hora' })).toBeVisible()
})

test('filters by state, source and name are in the address, and can be taken off', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  await page.goto('/reservations')
  await openFilters(page)
  await page.getByLabel('Origen').selectOption('Hechas a mano')
  await expect(page).toHaveURL(/source=manual/)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('zzzz nadie')
  await expect(page.getByText('Ninguna reserva coincide')).toBeVisible()
  await page.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).toHaveURL(/\/reservations$/)
  await expect(page.getByRole('table')).toBeVisible()
  await page.goto('/reservations?date=2031-01-01&view=timeline')
  await expect(page.getByText('Sin datos de este día')).toBeVisible()
  await page.goto('/reservations?reservation=00000000-0000-4000-8000-000000000000')
  await expect(page.getByRole('dialog')).toContainText('Esta reserva no está')
})

test('on a phone no view and no drawer scrolls sideways', async ({ page, signIn }) => {
  await signIn(host)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [...VIEWS, '/reservations?view=week&date=2026-12-31']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Reservas' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  }
  await page.goto('/reservations?view=timeline')
  await firstBar(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  await expect(page.getByRole('dialog', { name: 'Nueva reserva' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('the reservations speak English too', async ({ page, signIn }) => {
  await signIn(host)
  await page.goto('/reservations')
  await speakEnglish(page)
  for (const path of VIEWS) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Reservations' })).toBeVisible()
    await expectNoSpanish(page)
  }
  await page.goto('/reservations?view=timeline&source=pms')
  await page.locator('a[href*="reservation="]').first().click()
  await expect(page.getByRole('dialog')).toContainText('The PMS keeps the other data')
})

test('a person who may not see reservations gets a message', async ({ page, signIn }) => {
  await signIn('rrhh@demo.example')
  for (const path of VIEWS) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'No tienes acceso a esta página' })).toBeVisible()
  }
})
