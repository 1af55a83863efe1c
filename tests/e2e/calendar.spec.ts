import type { Page } from '@playwright/test'
import { addDays, instantAt, localDate } from '@/lib/dates'
import { addMonths } from '../../components/calendar/month'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { VENUE_ZONE } from './venue-zone'

const TODAY = localDate(new Date(), VENUE_ZONE)
const MONTH = TODAY.slice(0, 7)
/** A day that is in this month whatever today is. */
const MIDDLE = `${MONTH}-15`
const grid = (page: Page) => page.getByRole('table', { name: /^Eventos de/ })

test('an event is made, changed and deleted; mistakes lose nothing', async ({ page, signIn }) => {
  await signIn('operaciones@demo.example')
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Navegación principal' })
    .getByRole('link', { name: 'Calendario' })
    .click()
  await page.getByRole('button', { name: 'Nuevo evento', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Descripción').fill('Seis variedades')
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(form.getByText('Escribe un título.')).toBeVisible()
  await form.getByLabel('Título').fill('Cata de quesos')
  await form.getByLabel('Empieza').fill(`${MIDDLE}T06:15`)
  await form.getByLabel('Termina').fill(`${MIDDLE}T06:00`)
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(form.getByText('Termina antes de empezar', { exact: false })).toBeVisible()
  await form.getByLabel('Termina').fill(`${MIDDLE}T08:00`)
  // The clock is that of the place, an hour behind the group's.
  await form.getByLabel('Local').selectOption('Marisma Las Canteras')
  await expect(form.getByText('Hora de Canary.')).toBeVisible()
  await form.getByLabel('Responsable', { exact: true }).selectOption('Marta Soler')
  await form.getByLabel('Recordatorio').selectOption('1 día antes')
  await form.getByRole('combobox', { name: 'Cliente' }).fill('garcia')
  await form.getByRole('listbox', { name: 'Clientes encontrados' }).getByRole('option').first().click()
  await page.route(
    '**/api/calendar-events',
    (route) => route.fulfill({ status: 409, json: { error: 'Conflict' } }),
    { times: 1 },
  )
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(form.getByText('No se ha podido guardar.', { exact: false })).toBeVisible()
  await expect(form.getByLabel('Descripción')).toHaveValue('Seis variedades')
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/calendar-events'),
  )
  await form.getByRole('button', { name: 'Crear evento' }).click()
  const sent = (await asked).postDataJSON()
  const shift = new Date(`${sent.event_datetime}`).toISOString().slice(0, 16)
  expect(shift <= `${MIDDLE}T06:15`, 'Las Canteras is at UTC or an hour ahead').toBe(true)
  await expect(page.getByText('Evento creado: Cata de quesos')).toBeVisible()

  const chip = grid(page).getByRole('button', { name: '06:15 Cata de quesos' })
  await chip.focus()
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Empieza')).toHaveValue(`${MIDDLE}T06:15`)
  await expect(form.getByLabel('Recordatorio')).toHaveValue('1440')
  await form.getByLabel('Título').fill('Cata de quesos azules')
  await form.getByLabel('Empieza').fill(`${MIDDLE}T05:45`)
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Evento guardado: Cata de quesos azules')).toBeVisible()
  await page.reload()
  await grid(page).getByRole('button', { name: '05:45 Cata de quesos azules' }).click()
  await form.getByRole('button', { name: 'Borrar' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('se borra para todos')
  await page.keyboard.press('Escape')
  await expect(form.getByLabel('Título')).toHaveValue('Cata de quesos azules')
  await form.getByRole('button', { name: 'Borrar' }).click()
  await question.getByRole('button', { name: 'Borrar evento' }).click()
  await expect(page.getByText('Evento borrado: Cata de quesos azules')).toBeVisible()
  await expect(grid(page).getByRole('button', { name: /Cata de quesos/ })).toHaveCount(0)
})

test('the month begins on Monday, marks today, and leads to other months and to the agenda', async ({
  page,
  signIn,
}) => {
  await signIn('rrhh@demo.example')
  // From yesterday to tomorrow: it is of today also over midnight, and first. The demo's own are of the day it began.
  const [event_datetime, ends_at] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000))
  const made = await page.request.post('/api/calendar-events', {
    data: { title: 'Relevo', event_datetime, ends_at },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await page.goto('/calendar')
  await expect(grid(page).getByRole('columnheader').first()).toContainText(/lun/i)
  const today = grid(page).locator('[aria-current="date"]')
  await expect(today).toContainText('hoy')
  await expect(today.getByRole('button', { name: /Relevo/ })).toBeVisible()
  const { data } = await made.json()
  expect((await page.request.delete(`/api/calendar-events/${data.id}`)).ok()).toBe(true)
  await page.getByRole('link', { name: 'Agenda' }).click()
  await expect(page).toHaveURL(/view=agenda/)
  await expect(grid(page)).toHaveCount(0)
  const agenda = page.getByRole('region', { name: /^Agenda de/ })
  const row = agenda.getByRole('listitem').filter({ hasText: 'Prueba de menú de boda' })
  await expect(row).toContainText('17:00–18:30')
  await expect(row).toContainText('Marisma Cabanyal')
  // Customers are not for everyone.
  await expect(row.getByRole('link')).toHaveCount(0)
  await page.getByRole('link', { name: 'Mes siguiente' }).click()
  await expect(page).toHaveURL(/month=\d{4}-\d{2}/)
  await page.getByRole('link', { name: 'Hoy' }).click()
  await page.getByRole('combobox', { name: 'Local' }).selectOption('Marisma Las Canteras')
  await expect(row).toHaveCount(0)
  await page.goto('/calendar?month=2031-02&view=agenda')
  await expect(page.getByText('No hay eventos este mes')).toBeVisible()
  for (const nonsense of ['?month=2026-99&view=x&location_id=y', '?month=&view=agenda']) {
    await page.goto(`/calendar${nonsense}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  }
})

test('a day’s number begins an event on it', async ({ page, signIn }) => {
  await signIn('ceo@demo.example')
  const before = localDate(new Date(), VENUE_ZONE)
  await page.goto('/calendar')
  await grid(page)
    .locator('[aria-current="date"]')
    .getByRole('button', { name: /^Nuevo evento el/ })
    .click()
  // The page was drawn in between.
  const after = localDate(new Date(), VENUE_ZONE)
  await expect(page.getByRole('dialog').getByLabel('Empieza')).toHaveValue(
    new RegExp(`^(${before}|${after})T12:00$`),
  )
})

test('the calendar on a phone: the agenda, and in English', async ({ page, signIn }) => {
  await signIn('pr@demo.example')
  await page.goto('/calendar')
  await speakEnglish(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const agenda = page.getByRole('region', { name: /^Agenda of/ })
  await expect(agenda).toBeVisible()
  await expect(page.getByRole('table')).toBeHidden()
  await expect(agenda.getByRole('button', { name: 'Prueba de menú de boda' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Month', exact: true }).click()
  await expect(page.getByRole('table', { name: /^Events of/ })).toBeVisible()
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('table').getByRole('link', { name: /event/ }).first().click()
  await expect(page).toHaveURL(/view=agenda.*#d-/)
  await page.getByRole('button', { name: 'New event' }).click()
  await expect(page.getByRole('dialog', { name: 'New event' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('events near midnight stand on the day of their place', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  const { data: locations } = await (await page.request.get('/api/locations?limit=50')).json()
  const canary = locations.find(({ name }: { name: string }) => name === 'Marisma Las Canteras')
  // 00:30 in Madrid is 23:30 of the day before on the islands.
  const offset = new Date(`${MIDDLE}T12:00:00Z`).toLocaleString('en', {
    timeZone: 'Europe/Madrid',
    timeZoneName: 'longOffset',
  })
  const zone = /GMT([+-]\d\d:\d\d)/.exec(offset)?.[1]
  const made = await page.request.post('/api/calendar-events', {
    data: { title: 'Luna llena', event_datetime: `${MIDDLE}T00:30:00${zone}`, location_id: canary.id },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await page.goto('/calendar?view=month')
  const cell = page.getByRole('cell').filter({ hasText: 'Luna llena' })
  await expect(cell.getByRole('button', { name: '23:30 Luna llena' })).toBeVisible()
  await expect(cell.getByRole('button', { name: /^Nuevo evento el/ })).toHaveText(
    String(Number(addDays(MIDDLE, -1).slice(8))),
  )
  const { data } = await made.json()
  expect((await page.request.delete(`/api/calendar-events/${data.id}`)).ok()).toBe(true)
})

test('an event of several days stands on each of them, also when it began before the month', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  const first = `${addMonths(MONTH, 1)}-01`
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const made = async (title: string, from: string, to: string) => {
    const [event_datetime, ends_at] = [from, to].map((local) => instantAt(local, VENUE_ZONE).toISOString())
    const answer = await page.request.post('/api/calendar-events', {
      data: { title, event_datetime, ends_at },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()).data.id
  }
  const fair = await made('Feria de la tapa', `${addDays(first, -20)}T10:00`, `${addDays(first, 1)}T18:00`)
  const stock = await made('Inventario', `${addDays(first, 9)}T20:00`, `${addDays(first, 10)}T02:30`)
  await page.goto(`/calendar?view=month&month=${first.slice(0, 7)}`)
  await expect(grid(page).getByRole('button', { name: 'sigue Feria de la tapa' })).toHaveCount(before + 2)
  await expect(grid(page).getByRole('button', { name: /Inventario/ })).toHaveText(['20:00 Inventario'])
  await page.goto(`/calendar?view=agenda&month=${first.slice(0, 7)}`)
  const rows = page.getByRole('listitem').filter({ hasText: 'Feria de la tapa' })
  await expect(rows).toHaveText([/^sigue hasta el .* 18:00Feria/, /^hasta las 18:00Feria/])
  for (const id of [fair, stock])
    expect((await page.request.delete(`/api/calendar-events/${id}`)).ok()).toBe(true)
})

test('an event repeats: one, the following or all are changed and deleted', async ({ page, signIn }) => {
  await signIn('operaciones@demo.example')
  const first = `${addMonths(MONTH, 2)}-03`
  await page.goto(`/calendar?view=month&month=${first.slice(0, 7)}`)
  await page.getByRole('button', { name: 'Nuevo evento', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Título').fill('Ronda de neveras')
  await form.getByLabel('Empieza').fill(`${first}T10:00`)
  await form.getByLabel('Se repite').selectOption('Por días')
  await form.getByLabel('Cada cuántos días').fill('2')
  await form.getByLabel('Cuándo deja de repetirse').selectOption('Tras varias veces')
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(form.getByText('Hace falta este dato.')).toBeVisible()
  await form.getByLabel('Número de veces').fill('5')
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(page.getByText('Evento creado: Ronda de neveras')).toBeVisible()
  const chips = grid(page).getByRole('button', { name: /Ronda de neveras.*se repite/ })
  await expect(chips).toHaveCount(5)

  const question = page.getByRole('alertdialog')
  const rename = async (at: number, title: string, scope: string) => {
    await chips.nth(at).click()
    await form.getByLabel('Título').fill(title)
    await form.getByRole('button', { name: 'Guardar' }).click()
    await question.getByLabel(scope).check()
    await question.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByText(`Evento guardado: ${title}`).last()).toBeVisible()
  }
  const titled = (title: string) => grid(page).getByRole('button', { name: `10:00 ${title}` })
  await rename(1, 'Ronda de neveras, solo hoy', 'Solo este')
  await expect(titled('Ronda de neveras, solo hoy')).toHaveCount(1)
  await rename(3, 'Ronda de neveras y hornos', 'Este y los siguientes')
  await expect(titled('Ronda de neveras y hornos')).toHaveCount(2)
  await rename(0, 'Ronda de neveras y cava', 'Toda la serie')
  await expect(titled('Ronda de neveras y cava')).toHaveCount(2)
  await expect(titled('Ronda de neveras, solo hoy')).toHaveCount(1)

  // By the keyboard: the question opens on its safe button, the choices are before it.
  await titled('Ronda de neveras y hornos').first().focus()
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Borrar' }).click()
  await expect(question.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(question.getByLabel('Solo este')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(question.getByLabel('Toda la serie')).toBeChecked()
  await question.getByRole('button', { name: 'Borrar evento' }).click()
  await expect(chips).toHaveCount(3)
  await chips.first().click()
  await form.getByLabel('Se repite').selectOption('No se repite')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(question).toContainText('los siguientes de la serie se borran')
  await question.getByRole('button', { name: 'Guardar' }).click()
  await expect(chips).toHaveCount(0)
  await titled('Ronda de neveras y cava').click()
  await form.getByRole('button', { name: 'Borrar' }).click()
  await question.getByRole('button', { name: 'Borrar evento' }).click()
  await expect(grid(page).getByRole('button', { name: /Ronda de neveras/ })).toHaveCount(0)
})

test('an all-day event is a band above the others, and has no clock time; on a phone too', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  const first = `${addMonths(MONTH, 3)}-10`
  const month = `/calendar?month=${first.slice(0, 7)}`
  await page.goto(`${month}&view=month`)
  await page.getByRole('button', { name: 'Nuevo evento', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Título').fill('Feria del vino')
  await form.getByLabel('Empieza').fill(`${first}T10:00`)
  await form.getByLabel('Todo el día').check()
  await form.getByLabel('Primer día').fill(first)
  await form.getByLabel('Último día').fill(addDays(first, -1))
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(form.getByText('Termina antes de empezar', { exact: false })).toBeVisible()
  await form.getByLabel('Último día').fill(addDays(first, 2))
  await form.getByRole('button', { name: 'Crear evento' }).click()
  await expect(page.getByText('Evento creado: Feria del vino')).toBeVisible()
  const early = await page.request.post('/api/calendar-events', {
    data: {
      title: 'Descarga',
      event_datetime: instantAt(`${addDays(first, 1)}T05:00`, VENUE_ZONE).toISOString(),
    },
  })
  expect(early.ok(), await early.text()).toBe(true)
  await page.reload()
  await expect(grid(page).getByRole('button', { name: 'todo el día Feria del vino' })).toHaveCount(3)
  const cell = grid(page).getByRole('cell').filter({ hasText: 'Descarga' })
  await expect(cell.getByRole('listitem')).toHaveText([/Feria del vino/, /05:00 Descarga/])

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${month}&view=agenda`)
  const rows = page.getByRole('listitem').filter({ hasText: 'Feria del vino' })
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('todo el día')
  await expect(rows.first()).not.toContainText(/\d\d:\d\d/)
  await expectNoSidewaysScroll(page)
  await rows.first().getByRole('button').click()
  await expect(form.getByLabel('Todo el día')).toBeChecked()
  await expectNoSidewaysScroll(page)
  await form.getByRole('button', { name: 'Borrar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Borrar evento' }).click()
  await expect(rows).toHaveCount(0)
  const { data } = await early.json()
  expect((await page.request.delete(`/api/calendar-events/${data.id}`)).ok()).toBe(true)
})
