import { expect, speakEnglish, test } from './fixtures'
import { book, freeTables, locationId } from './service-night'

test.use({ viewport: { width: 390, height: 844 } })
test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))

test('a table that was given back is shown with the waiting party that it fits', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const location_id = await locationId(page.request)
  // The earliest of the freed tables, so that it goes to the first who waits.
  const { id } = await book(page.request, -50, { table_name: table })
  const name = `Espera ${Math.random().toString(36).slice(2, 8)}`
  const joined = await page.request.post('/api/waitlist', { data: { location_id, name, party_size: 2 } })
  expect(joined.status()).toBe(201)
  await page.goto(`/service?location_id=${location_id}`)
  const freed = page.getByText(new RegExp(`^Mesa ${table}, \\d\\d:\\d\\d, 4 personas: encaja con `))
  await expect(page.getByRole('region', { name: 'En espera' })).toContainText(name)
  await expect(freed).toHaveCount(0)
  const cancelled = await page.request.patch(`/api/reservations/${id}`, { data: { status: 'cancelled' } })
  expect(cancelled.ok()).toBe(true)
  await page.reload()
  await expect(freed).toBeVisible()
  await speakEnglish(page)
  await page.reload()
  await expect(page.getByText(new RegExp(`^Table ${table}, \\d\\d:\\d\\d, 4 guests: fits `))).toBeVisible()
})
