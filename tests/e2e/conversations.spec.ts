import { expect, expectNoSidewaysScroll, test } from './fixtures'

test('a person reads what a stranger wrote, answers it, and finds what became of it', async ({
  page,
  signIn,
}) => {
  await signIn('super@demo.example')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  const section = page.getByRole('navigation').getByRole('link', { name: /^Conversaciones/ })
  await section.click()
  await expect(page.getByText('Elige una conversación')).toBeVisible()
  await page.getByRole('link', { name: 'Sin leer', exact: true }).click()
  const row = page.getByRole('link', { name: /Marta/ })
  await expect(row).toContainText('sin leer')
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: /Marta/ })).toBeVisible()
  await expect(page.getByText('No se sabe de qué cliente es este número.')).toBeVisible()

  const answer = `Sí, hasta treinta ${Date.now().toString(36)}`
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText('Escribe la respuesta.')).toBeVisible()
  await page.getByLabel('Respuesta').fill(answer)
  await page.getByRole('button', { name: 'Enviar' }).click()
  const said = page.getByRole('listitem').filter({ hasText: answer }).last()
  await expect(said).toContainText('Simulado')
  await expect(page.getByLabel('Respuesta')).toHaveValue('')
  // Read by being open: what remains is in “all”.
  await page.getByRole('link', { name: 'Todas', exact: true }).click()
  await expect(page.getByRole('link', { name: /Marta/ })).not.toContainText('sin leer')
})

test('on a phone the list leads to the conversation and back, and to the guest', async ({ page, signIn }) => {
  await signIn('super@demo.example')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/conversations')
  await expectNoSidewaysScroll(page)
  await page.getByRole('link').filter({ hasText: 'la tarta que queremos llevar' }).click()
  await expect(page.getByText('[imagen]')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('heading', { level: 2 }).getByRole('link').click()
  await page
    .getByRole('list', { name: 'Qué se muestra' })
    .getByRole('link', { name: 'Conversaciones' })
    .click()
  const entry = page.getByRole('list', { name: 'Cronología' }).getByRole('listitem').first()
  await expect(entry).toContainText('la tarta que queremos llevar')
  await entry.getByRole('link', { name: 'Ver la conversación' }).click()
  // The guest’s page has a link of the same name.
  await expect(page.getByText('[imagen]')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Cronología' })).toHaveCount(0)
  await page.getByRole('main').getByRole('link', { name: 'Conversaciones' }).click()
  await expect(page).toHaveURL(/\/conversations$/)
  await expect(page.getByRole('link').filter({ hasText: 'la tarta que queremos llevar' })).toBeVisible()
})
