import { violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'

// A campaign in two languages, written, checked and looked at by marketing.
const stamp = Date.now().toString(36)
const TAG = `idiomas-${stamp}`

test.beforeEach(({ signIn }) => signIn('marketing@demo.example'))

test('a message is written in a further language, and each guest is shown theirs', async ({ page }) => {
  for (const [first_name, language] of [
    ['Ana', 'es'],
    ['Amy', 'en'],
    ['Udo', 'de'],
  ]) {
    const email = `${first_name}-${TAG}@correo.example`.toLowerCase()
    const consent = { email: { basis: 'opt_in', reason: 'Lo pidió en la barra' } }
    const data = { first_name, language, email, tags: [TAG], consent }
    const made = await page.request.post('/api/customers', { data })
    expect(made.status(), await made.text()).toBe(201)
  }
  const definition = { field: 'tags', is: 'any', tags: [TAG] }
  const segment = await page.request.post('/api/segments', { data: { name: TAG, shared: true, definition } })
  const segment_id = (await segment.json()).data.id
  const messages = [{ step: 1, channel: 'email', subject: 'La trufa', body: 'Ven, {{ first_name }}.' }]
  const data = { name: `Trufa ${stamp}`, segment_id, control_share: 0, messages }
  const { id } = (await (await page.request.post('/api/campaigns', { data })).json()).data

  await page.goto(`/campaigns/${id}/edit`)
  const panel = page.getByRole('region', { name: 'A quién y cómo llega' })
  const check = page.getByRole('region', { name: 'Comprobación antes de enviar' })
  await expect(check.getByText('2 clientes hablan un idioma')).toBeVisible()
  const what = page.getByRole('region', { name: 'Qué se le dice' })
  await what.getByLabel('Añadir idioma').selectOption('Inglés')
  // It begins as a copy, which does not count as English.
  await expect(what.getByLabel('Asunto', { exact: true })).toHaveValue('La trufa')
  await expect(check.getByText('2 clientes hablan un idioma')).toBeVisible()
  await what.getByLabel('Asunto', { exact: true }).fill('The truffle')
  await what.getByLabel('Texto del mensaje', { exact: true }).fill('Come, {{ first_nam }}.')
  await expect(check.getByText('Inglés. Texto.')).toBeVisible()
  await what.getByLabel('Texto del mensaje', { exact: true }).fill('Come, {{ first_name }}.')
  await expect(check.getByText('1 cliente habla un idioma')).toBeVisible()
  await expect(panel.getByText('The truffle')).toBeVisible()
  await what.getByRole('button', { name: 'Español' }).click()
  await expect(what.getByLabel('Asunto', { exact: true })).toHaveValue('La trufa')
  await expect(panel.getByText('La trufa')).toBeVisible()
  // Taken away by mistake and added again, the text is as it was.
  await what.getByRole('button', { name: 'Inglés', exact: true }).click()
  await what.getByRole('button', { name: 'Quitar inglés' }).click()
  await what.getByLabel('Añadir idioma').selectOption('Inglés')
  await expect(what.getByLabel('Asunto', { exact: true })).toHaveValue('The truffle')
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: 'Revisar y lanzar' }).click()
  await expect(page.getByText('Escrita también en: inglés.')).toBeVisible()
  await panel.getByLabel('Idioma', { exact: true }).selectOption('Inglés')
  await expect(panel.getByText('The truffle')).toBeVisible()
  await panel.getByLabel('Idioma', { exact: true }).selectOption('Español')
  await expect(panel.getByText('La trufa')).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('what a version lacks is said while another language is shown', async ({ page }) => {
  const messages = [
    {
      ...{ step: 1, channel: 'email', subject: 'La trufa', body: 'Ven.' },
      versions: [{ language: 'fr', subject: 'La truffe', body: 'Venez.' }],
    },
  ]
  const made = await page.request.post('/api/campaigns', { data: { name: `Vacía ${stamp}`, messages } })
  const { id } = (await made.json()).data
  await page.goto(`/campaigns/${id}/edit`)
  const what = page.getByRole('region', { name: 'Qué se le dice' })
  await what.getByRole('button', { name: 'Francés' }).click()
  await what.getByLabel('Texto del mensaje', { exact: true }).fill('{{ first_name')
  await what.getByRole('button', { name: 'Español' }).click()
  await expect(what.getByRole('alert')).toContainText('Francés:')
  await what.getByRole('button', { name: 'Francés' }).click()
  await expect(what.getByLabel('Texto del mensaje', { exact: true })).toHaveAttribute('aria-invalid', 'true')
})
