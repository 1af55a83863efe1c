import type { Page } from '@playwright/test'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { book, freeTables, leave, locationId, stored, YES } from './service-night'

test.use({ viewport: { width: 390, height: 844 } })
test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))
test.afterEach(({ page }) => leave(page.request))

async function openDay(page: Page) {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  await page.getByRole('button', { name: 'Todo el día' }).click()
}
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

test('a host changes the size of a party in three taps, and takes it back', async ({ page }) => {
  const { id, name } = await book(page.request, 0, { notes: 'Ventana', customer_phone: '+34600123987' })
  await openDay(page)
  await row(page, name).getByRole('time').click()
  const sheet = page.getByRole('dialog', { name })
  await expect(sheet.getByRole('link', { name: 'Llamar al +34 600 12 39 87' })).toHaveAttribute(
    'href',
    'tel:+34600123987',
  )
  await sheet.getByRole('button', { name: 'Uno más' }).click()
  await sheet.getByRole('button', { name: 'Guardar' }).click()
  await expect(row(page, name)).toContainText('5 personas')
  await expect.poll(async () => (await stored(page.request, id)).party_size).toBe(5)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(row(page, name)).toContainText('4 personas')
  await expect.poll(async () => (await stored(page.request, id)).party_size).toBe(4)
})

test('a no to a size that its table does not hold loses neither the note nor the delay', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 0, { table_name: table, confirm: YES })
  await openDay(page)
  await row(page, name).getByRole('time').click()
  const sheet = page.getByRole('dialog', { name })
  await sheet.getByRole('textbox', { name: 'Personas' }).fill('40')
  await sheet.getByRole('radio', { name: '20 min' }).check()
  await sheet.getByLabel('Notas').fill('Vienen con carrito')
  await sheet.getByRole('button', { name: 'Guardar' }).click()
  await page.getByRole('alert').getByRole('button', { name: 'Dejarlo' }).click()
  await expect(row(page, name)).toContainText('20 min tarde')
  await expect(row(page, name)).toContainText('4 personas')
  await expect.poll(async () => (await stored(page.request, id)).notes).toBe('Vienen con carrito')
})

test('a party that says it comes later is not late until then; its note is changed by keyboard', async ({
  page,
}) => {
  const { id, name } = await book(page.request, -30, { notes: 'Ventana' })
  await openDay(page)
  const late = page.getByRole('region', { name: 'Con retraso' })
  await expect(late.getByText(name)).toBeVisible()
  await row(page, name).getByRole('button', { name: '4 personas' }).press('Enter')
  const sheet = page.getByRole('dialog', { name })
  expect(await violations(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  await sheet.getByRole('radio', { name: '60 min' }).check()
  await sheet.getByLabel('Notas').fill('Terraza')
  await sheet.getByRole('button', { name: 'Guardar' }).click()
  await expect(row(page, name)).toContainText('60 min tarde')
  await expect(row(page, name)).toContainText('Terraza')
  await expect.poll(async () => (await stored(page.request, id)).notes).toBe('Terraza')
  await page.reload()
  await page.getByRole('button', { name: 'Todo el día' }).click()
  await expect(page.getByRole('region', { name: 'Llegan' }).getByText(name)).toBeVisible()
})
