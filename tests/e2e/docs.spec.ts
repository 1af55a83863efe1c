import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { settled } from './settled'

test('the API is described without signing in, and nothing is fetched from elsewhere', async ({ page }) => {
  const asked: URL[] = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  await page.goto('/docs')
  await expect(page.getByRole('heading', { level: 1, name: 'API de Sobremesa' })).toBeVisible()
  // Swagger UI draws what is in sight only; beside the operation there is a button that copies the path.
  await page.getByPlaceholder('Filter by tag').fill('Loyalty')
  // The viewer replaces its list for many operations by one for few: a press in between would be lost.
  await expect(page.locator('[class*=operations-virtual]')).toHaveCount(0)
  await page
    .getByRole('button', { name: /^POST.*loyalty.*rules/i })
    .first()
    .click()
  await expect(page.getByText('All or none. Customers keep their tiers')).toBeVisible()
  await settled(page)
  const own = new URL(page.url()).host
  expect(asked.filter(({ protocol, host }) => protocol !== 'data:' && host !== own)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})
