import { addDays } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { YES } from './service-night'
import { VENUE_ZONE } from './venue-zone'

const SHIFTS = [
  { name: 'Comida', weekdays: [1, 2, 3, 4, 5, 6, 7], opens: '13:00', closes: '16:00', capacity: 40 },
  { name: 'Cena', weekdays: [1, 2, 3, 4, 5, 6, 7], opens: '20:00', closes: '23:30', capacity: 40 },
]
const TABLES = [
  { name: 'S1', zone: 'Sala', capacity: 4, is_active: true },
  { name: 'T1', zone: 'Terraza', capacity: 4, is_active: true },
]

test('a zone is closed for a shift: whom it concerns, where it stands, and open again, on a phone too', async ({
  page,
  signIn,
}) => {
  const name = `Cierra ${Date.now().toString(36)}`
  await signIn('admin@demo.example')
  const api = page.request
  const made = await api.post('/api/locations', { data: { name } })
  expect(made.status(), await made.text()).toBe(201)
  const place = (await made.json()).data.id
  for (const [part, data] of [
    ['hours', { shifts: SHIFTS, closed_days: [] }],
    ['tables', { tables: TABLES }],
  ] as const) {
    const put = await api.put(`/api/locations/${place}/${part}`, { data })
    expect(put.status(), await put.text()).toBe(200)
  }
  const today = currentServiceDay(VENUE_ZONE)
  const tomorrow = addDays(today, 1)
  for (const [customer_name, reservation_time, zone_name] of [
    ['Ana Terraza', '21:00', 'Terraza'],
    ['Luis Sala', '21:00', 'Sala'],
    ['Eva Mediodía', '14:00', 'Terraza'],
  ]) {
    const booked = await api.post('/api/reservations', {
      data: {
        ...{ location_id: place, customer_name, reservation_time, zone_name, party_size: 3 },
        ...{ reservation_date: tomorrow, confirm: YES },
      },
    })
    expect(booked.status(), await booked.text()).toBe(201)
  }

  await signIn('operaciones@demo.example')
  const list = `/reservations?location_id=${place}&date=${tomorrow}`
  await page.goto(list)
  const closings = page.getByRole('list', { name: 'Cierres' })
  await expect(page.getByRole('heading', { name: 'Reservas', level: 1 })).toBeVisible()
  await expect(closings).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('button', { name: 'Cerrar un día, turno o zona' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Local')).toHaveValue(place)
  await expect(dialog.getByLabel('Día')).toHaveValue(tomorrow)
  await dialog.getByLabel('Turno').selectOption('Cena')
  await dialog.getByLabel('Zona').selectOption('Terraza')
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).last().click()
  await expect(dialog.getByText('Escribe el motivo.')).toBeVisible()
  await expect(dialog.getByLabel('Turno')).toHaveValue('Cena')
  // The message at a field too, in both schemes.
  expect(await violations(page)).toEqual([])
  await changeScheme(page, 'dark')
  expect(await violations(page)).toEqual([])
  await changeScheme(page, 'light')
  await dialog.getByLabel('Motivo').fill('Obras en la acera')
  await dialog.getByLabel('Motivo').press('Enter')
  await expect(dialog.getByRole('heading', { name: '1 reserva sigue en pie' })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText(/^21:00\s*Ana Terraza · 3 personas\s*Abrir$/)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('link', { name: 'Abrir' }).click()
  await expect(page.getByRole('dialog', { name: 'Ana Terraza' })).toBeVisible()
  await page.keyboard.press('Escape')

  const said = 'Zona Terraza cerrada en el turno Cena: Obras en la acera'
  await expect(closings).toContainText(said)
  await expectNoSidewaysScroll(page)
  // Twice is once: the form says so, and keeps what was typed.
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('button', { name: 'Cerrar un día, turno o zona' }).click()
  await dialog.getByLabel('Turno').selectOption('Cena')
  await dialog.getByLabel('Zona').selectOption('Terraza')
  await dialog.getByLabel('Motivo').fill('Otra vez')
  await dialog.getByLabel('Motivo').press('Enter')
  await expect(dialog.getByText('Eso ya está cerrado ese día.')).toBeVisible()
  await expect(dialog.getByLabel('Motivo')).toHaveValue('Otra vez')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  await page.goto(`${list}&view=week`)
  const week = page.getByRole('list', { name: 'Comensales, reservas y no presentados por día y local' })
  await expect(week.getByText('3 reservas, 9 comensales · cierre parcial')).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('table').getByText('cierre parcial', { exact: true }).first()).toBeVisible()
  await page.goto(`/service/tables?location_id=${place}&date=${tomorrow}`)
  await expect(closings).toContainText(said)
  await page.goto(`/print/reservations?location_id=${place}&date=${tomorrow}`)
  await expect(page.getByText('Zona Terraza cerrada en el turno Cena (Obras en la acera)')).toBeVisible()
  await page.goto(`/morning?location_id=${place}`)
  await expect(closings).toContainText(said)

  // The whole of today: the board says so at once.
  const shut = await api.post(`/api/locations/${place}/closings`, { data: { day: today, reason: 'Boda' } })
  expect(shut.status(), await shut.text()).toBe(201)
  await page.goto(`/service?location_id=${place}`)
  await expect(closings).toHaveText('Cerrado todo el día: Boda')
  expect(await violations(page)).toEqual([])
  await speakEnglish(page)
  await page.goto(`/reservations?location_id=${place}`)
  await expect(page.getByRole('list', { name: 'Closings' })).toContainText('Closed all day: Boda')
  await page.getByRole('button', { name: 'Open again' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('This closing ends: “Closed all day”.')
  await expectNoSpanish(page)
  await question.getByRole('button', { name: 'Open again' }).click()
  await expect(page.getByRole('list', { name: 'Closings' })).toHaveCount(0)
  const left = await (await api.get(`/api/locations/${place}/closings`)).json()
  expect(left.data.map(({ zone }: { zone: string }) => zone)).toEqual(['Terraza'])
  // Other tests count the locations of the demo.
  await signIn('admin@demo.example')
  const closed = await api.patch(`/api/locations/${place}`, { data: { is_active: false } })
  expect(closed.status(), await closed.text()).toBe(200)
})

test('the floor closes nothing', async ({ page, signIn }) => {
  await signIn('sala@demo.example')
  await page.goto('/reservations')
  await expect(page.getByRole('heading', { name: 'Reservas', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Más acciones' })).toHaveCount(0)
})
