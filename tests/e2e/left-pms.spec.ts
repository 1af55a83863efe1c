import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { VENUE_ZONE } from './venue-zone'

const PLACE = 'Marisma Cabanyal'
const FAULTS = `${process.env.PMS_URL}/__control/faults/marisma-cabanyal`
const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('sv', { timeZone: VENUE_ZONE })

test('a booking that was deleted in the PMS is cancelled, named on home and in the bell, and comes again', async ({
  page,
  signIn,
  request,
}) => {
  const surname = Math.random().toString(36).slice(2, 8)
  const name = `Vera ${surname.charAt(0).toUpperCase()}${surname.slice(1)}`
  const row = { id: `left-${surname}`, date: tomorrow, time: '21:00', client_name: name, pax: 3, state: 1 }
  const sync = async () =>
    expect((await page.request.post('/api/sync', { data: { source: 'pms' } })).ok()).toBe(true)
  /** With the booking among what the PMS answers, or without. */
  const inPms = async (there: boolean) => {
    const done = there
      ? await request.put(FAULTS, { data: { kind: 'malformed_rows', rows: [row] } })
      : await request.delete(FAULTS)
    expect(done.ok()).toBe(true)
  }
  const found = async () => {
    const query = new URLSearchParams({ date: tomorrow, search: name })
    return (await (await page.request.get(`/api/reservations?${query}`)).json()).data[0]
  }
  await signIn('admin@demo.example')
  try {
    await inPms(true)
    await sync()
    expect(await found()).toMatchObject({ status: 'confirmed', party_size: 3 })
    await inPms(false)
    // PMS_MISSING_MINUTES is 0 here.
    await sync()
    await sync()
    expect(await found()).toMatchObject({ status: 'cancelled', pms_status: 'missing' })

    await page.goto('/')
    const place = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: PLACE }) })
    await expect(place).toContainText('1 reserva ya no está en el PMS y se ha cancelado')
    await page.getByRole('button', { name: /^Avisos/ }).click()
    const bell = page
      .getByRole('listitem')
      .filter({ hasText: 'Una reserva ya no está en el PMS y se ha cancelado' })
    await expect(bell).toContainText(`${PLACE}: ${name} (`)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page)
    await place.getByRole('link', { name: new RegExp(`^${name} `) }).click()
    const drawer = page.getByRole('dialog', { name })
    await expect(drawer).toContainText('Ya no está en el PMS: por eso se ha cancelado.')
    await expectNoSidewaysScroll(page)
    await page.goto('/')
    await speakEnglish(page)
    await expect(place).toContainText('1 reservation is no longer in the PMS and was cancelled')
    await expectNoSpanish(page)

    await inPms(true)
    await sync()
    expect(await found()).toMatchObject({ status: 'confirmed', pms_status: '1' })
    await page.reload()
    await expect(place).toBeVisible()
    await expect(place).not.toContainText('no longer in the PMS')
  } finally {
    // Cancelled by staff it does not leave once more.
    const left = await found()
    if (left) await page.request.patch(`/api/reservations/${left.id}`, { data: { status: 'cancelled' } })
    await inPms(false)
  }
})
