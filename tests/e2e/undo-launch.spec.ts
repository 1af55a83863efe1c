import type { APIRequestContext } from '@playwright/test'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const stamp = Date.now().toString(36)

/** A campaign to all guests of the demo, who are more than are asked about once. */
async function givenCampaign(request: APIRequestContext): Promise<string> {
  const definition = { field: 'visits', min: 0 }
  const segment = await request.post('/api/segments', {
    data: { name: `Muchos ${stamp}`, shared: true, definition },
  })
  const made = await request.post('/api/campaigns', {
    data: {
      ...{ name: `A muchos ${stamp}`, segment_id: (await segment.json()).data.id, control_share: 0 },
      messages: [{ step: 1, channel: 'email', subject: 'Otoño', body: 'Hay setas.' }],
    },
  })
  expect(made.status(), await made.text()).toBe(201)
  return (await made.json()).data.id
}

test('a large campaign is asked about twice, by keyboard too, and taken back within its minute', async ({
  page,
  signIn,
}) => {
  await signIn('marketing@demo.example')
  const id = await givenCampaign(page.request)
  await page.goto(`/campaigns/${id}`)
  const review = page.getByRole('region', { name: 'Revisar y lanzar' })
  await expect(review).toContainText('Al ser más de 500 clientes, preguntamos otra vez')
  const send = review.getByRole('button', { name: /^Enviar a / })
  await send.click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Sale por correo. Tendrás un minuto para deshacerlo')
  expect(await violations(page)).toEqual([])
  // “Cancelar” is in focus: an Enter too many sends nothing.
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await send.click()
  await dialog.getByRole('button', { name: /^Sí, enviar a / }).click()
  const undo = page.getByRole('button', { name: 'Deshacer el envío' })
  await expect(undo).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/Puedes deshacerlo durante \d+ segundos?\./)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
  await undo.click()
  await expect(page.getByText('Deshecho: vuelve a ser un borrador y no ha salido nada')).toBeVisible()
  await expect(send).toBeEnabled()
  await expect(page.getByRole('main')).not.toContainText('La lanzó')
  const { data } = await (await page.request.get(`/api/campaigns/${id}`)).json()
  expect(data).toMatchObject({ status: 'draft', undo_until: null, progress: { processed: 0 } })
  await speakEnglish(page)
  await page.goto(`/campaigns/${id}`)
  await expect(page.getByText('With more than 500 customers we ask once more')).toBeVisible()
  await expectNoSpanish(page)
})
