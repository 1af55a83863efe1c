import { expect, expectNoSidewaysScroll, speakEnglish, test } from './fixtures'

const NONSENSE = [
  '/?location_id=nonsense',
  '/reservations?date=2026-99-99&location_id=x&status=nope&cursor=%%%',
  '/reservations?date=1&cursor=abc',
  '/reservations?view=nope&source=nope&reservation=nope',
  '/reservations?view=week&date=2026-13-45',
  '/customers?tier=x&location_id=y&inactive_days=-3&sort=none&segment=all&cursor=zzz',
  '/morning?date=2026-99-99',
  '/morning?date=9999-12-31',
  '/service?location=nope&date=nope',
  '/service/tables?date=2026-13-45',
  '/service/tables?date=9999-12-31',
  '/print/reservations?date=nope&location_id=x',
  '/customers/duplicates?cursor=zzz',
  '/customers/duplicates/different?cursor=zzz',
]

test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))

test('on a phone the menu leads everywhere', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/customers?search=garcia&sort=spend')
  await expectNoSidewaysScroll(page)
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Cronología' })).toBeVisible()
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Reservas', exact: true }).click()
  await expect(page).toHaveURL(/\/reservations/)
})

test('a link of a list leads on without loading the document, and with Ctrl into a new tab', async ({
  page,
  context,
}) => {
  await page.goto('/customers')
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))
  const link = page.getByRole('table').getByRole('link').first()
  const opened = context.waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  await expect((await opened).getByRole('heading', { name: 'Cronología' })).toBeVisible()
  await expect(page).toHaveURL(/\/customers$/)
  await link.click()
  await expect(page.getByRole('heading', { name: 'Cronología' })).toBeVisible()
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('English is one click away, and stays', async ({ page }) => {
  await page.goto('/reservations')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await speakEnglish(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Reservations' })).toBeVisible()
  await page.goto('/customers')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible()
})

test('addresses that make no sense fall back to the usual page', async ({ page }) => {
  for (const path of NONSENSE) {
    const response = await page.goto(path)
    expect(response?.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Algo ha ido mal')).toHaveCount(0)
  }
})
