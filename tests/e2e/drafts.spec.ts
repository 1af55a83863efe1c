import type { Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const OPERATIONS = 'operaciones@demo.example'
const NOTE = 'Recuperado lo que estabas escribiendo'

/** A customer made by the API; returns their page. */
async function customer(page: Page, fields: object = {}): Promise<string> {
  const first_name = `Borrador ${Math.random().toString(36).slice(2, 8)}`
  const made = await page.request.post('/api/customers', {
    data: { first_name, notes: 'Terraza', ...fields },
  })
  expect(made.status()).toBe(201)
  return `/customers/${(await made.json()).data.id}`
}

const stored = async (page: Page, path: string) => (await (await page.request.get(`/api${path}`)).json()).data
const edit = (page: Page) => page.getByRole('button', { name: 'Editar', exact: true }).click()
const drafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('sobremesa-draft:')))

test('the very first letter typed into a new form stays', async ({ page, signIn }) => {
  await signIn(OPERATIONS)
  await page.goto('/reservations')
  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const name = page.getByRole('dialog').getByLabel('Nombre')
  await expect(name).toBeFocused()
  await page.keyboard.type('Íñigo Zurbano')
  await expect(name).toHaveValue('Íñigo Zurbano')
  await page.reload()
  await expect(page.getByText(NOTE)).toBeVisible()
  await expect(name).toHaveValue('Íñigo Zurbano')
})

test('a reload keeps what is typed, with its dialog open; it can be discarded, and goes when it is saved', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  await edit(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Notas').fill('Alérgica al marisco')
  await form.getByRole('combobox', { name: 'Etiquetas' }).fill('prensa')
  await form.getByRole('combobox', { name: 'Etiquetas' }).press('Enter')
  await page.reload()
  await expect(form.getByText(NOTE)).toBeVisible()
  await expect(form.getByLabel('Notas')).toHaveValue('Alérgica al marisco')
  await expect(form.getByText('prensa', { exact: true })).toBeVisible()
  await form.getByRole('button', { name: 'Descartar' }).click()
  await expect(form.getByLabel('Notas')).toHaveValue('Terraza')
  await expect(form.getByText(NOTE)).toHaveCount(0)
  expect(await drafts(page)).toEqual([])

  // Closed by mistake, it is there when the form opens again.
  await form.getByLabel('Notas').fill('Junto a la ventana')
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await page.reload()
  await expect(form).toHaveCount(0)
  await edit(page)
  await expect(form.getByLabel('Notas')).toHaveValue('Junto a la ventana')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  expect(await drafts(page)).toEqual([])
  expect(await stored(page, path)).toMatchObject({ notes: 'Junto a la ventana', tags: [] })

  // Cancelled, it is gone.
  await edit(page)
  await form.getByLabel('Notas').fill('No')
  await form.getByRole('button', { name: 'Cancelar' }).click()
  await edit(page)
  await expect(form.getByLabel('Notas')).toHaveValue('Junto a la ventana')
  await expect(form.getByText(NOTE)).toHaveCount(0)
})

test('a form opened again before the page has what was saved shows what was saved', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // The page is read again after a save; here that takes its time.
  await page.route(`**${path}*`, async (route) => {
    if (route.request().headers().rsc !== undefined) await held
    await route.fallback()
  })
  const form = page.getByRole('dialog')
  await edit(page)
  await form.getByLabel('Notas').fill('Junto a la ventana')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  await edit(page)
  await expect(form.getByLabel('Notas')).toHaveValue('Junto a la ventana')
  release()
  await expect(page.getByRole('main')).toContainText('Junto a la ventana')
  await expect(form.getByLabel('Notas')).toHaveValue('Junto a la ventana')
})

test('a session that ended keeps the form, says so, and leads back to what was typed', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  await edit(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Empresa').fill('Lumbre S. L.')
  await context.clearCookies()
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Tu sesión ha terminado. Lo que has escrito sigue aquí.')).toBeVisible()
  await expect(form.getByLabel('Empresa')).toHaveValue('Lumbre S. L.')
  await form.getByRole('button', { name: 'Volver a entrar' }).click()
  await expect(page).toHaveURL(`/sign-in?next=${encodeURIComponent(path)}`)
  await page.getByLabel('Correo electrónico').fill(OPERATIONS)
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(path)
  await expect(form.getByLabel('Empresa')).toHaveValue('Lumbre S. L.')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  expect(await stored(page, path)).toMatchObject({ company: 'Lumbre S. L.' })
})

test('a comment is asked about before its page is left, and goes with who signs out', async ({
  page,
  signIn,
}) => {
  await signIn('marketing@demo.example')
  const made = await page.request.post('/api/tickets', { data: { subject: 'Comentario a medias' } })
  const { id } = (await made.json()).data
  await page.goto(`/tickets/${id}`)
  const field = page.getByLabel('Añadir un comentario')
  await field.fill('El técnico viene a las')
  const link = page.getByRole('navigation', { name: 'Navegación principal' }).getByRole('link', {
    name: 'Calendario',
  })
  await link.click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('¿Salir sin guardar?')
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(field).toHaveValue('El técnico viene a las')
  await page.goto('/tickets')
  await page.goto(`/tickets/${id}`)
  await expect(page.getByText(NOTE)).toBeVisible()
  await expect(field).toHaveValue('El técnico viene a las')
  await link.click()
  await question.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(page).toHaveURL(/\/calendar/)
  expect(await drafts(page)).toEqual([])

  await page.goto(`/tickets/${id}`)
  await expect(field).toHaveValue('')
  await field.fill('Otra vez')
  await expect.poll(() => drafts(page)).toHaveLength(1)
  await page.getByRole('button', { name: /^Tu cuenta/ }).click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect(await drafts(page)).toEqual([])
})

test('the floor’s notes about a guest and the shift survive a reload, until they are saved', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const { data } = await (await page.request.get('/api/locations')).json()
  for (const [path, label, save] of [
    [`/service/guests${(await customer(page)).replace('/customers', '')}`, 'Notas del cliente', 'Guardar'],
    ['/service', 'Nota para mañana', 'Guardar la nota'],
  ] as const) {
    await page.goto(`${path}?location_id=${data[0].id}`)
    const fold = page.getByText(/^Notas para mañana/)
    const field = page.getByLabel(label)
    if (path === '/service') await fold.click()
    await field.fill('Prefiere la barra')
    await expect.poll(() => drafts(page)).toHaveLength(1)
    await page.reload()
    if (path === '/service') await fold.click()
    await expect(field).toHaveValue('Prefiere la barra')
    await expect(page.getByText(NOTE)).toBeVisible()
    await page.getByRole('button', { name: save, exact: true }).click()
    await expect(page.getByText(NOTE)).toHaveCount(0)
    await expect.poll(() => drafts(page)).toEqual([])
  }
})

test('a group’s thresholds of likeness survive a reload, until they are discarded', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/identity')
  const likely = page.getByRole('main').getByRole('textbox').first()
  const before = await likely.inputValue()
  await likely.fill('85,5')
  await page.reload()
  await expect(page.getByText(NOTE)).toBeVisible()
  await expect(likely).toHaveValue('85,5')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(likely).toHaveValue(before)
  expect(await drafts(page)).toEqual([])
})

test('what one person typed is not offered to the next one at the same browser', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  await edit(page)
  await page.getByRole('dialog').getByLabel('Notas').fill('Solo mío')
  await context.clearCookies()
  await signIn('admin@demo.example')
  await page.goto(path)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await edit(page)
  await expect(page.getByRole('dialog').getByLabel('Notas')).toHaveValue('Terraza')
  await expect(page.getByText(NOTE)).toHaveCount(0)
})

test('an automation and an integration are restored, a secret never', async ({ page, signIn }) => {
  await signIn('super@demo.example')
  await page.goto('/automations/new?type=birthday')
  await page.getByLabel('Texto del mensaje', { exact: true }).fill('Feliz día, {{ first_name }}.')
  await page.reload()
  await expect(page.getByText(NOTE)).toBeVisible()
  await expect(page.getByLabel('Texto del mensaje', { exact: true })).toHaveValue(
    'Feliz día, {{ first_name }}.',
  )
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByLabel('Texto del mensaje', { exact: true })).toHaveValue('')

  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'SMS y WhatsApp (Twilio)' })
  const secret = card.getByRole('group', { name: 'Auth Token' })
  const change = secret.getByRole('button', { name: 'Cambiar' })
  if ((await change.count()) > 0) await change.click()
  await card.getByRole('textbox', { name: 'Account SID' }).fill('AC_a_medias')
  await card.getByRole('textbox', { name: 'Auth Token' }).fill('secreto_a_medias')
  await page.reload()
  await expect(card.getByText(NOTE)).toBeVisible()
  await expect(card.getByRole('textbox', { name: 'Account SID' })).toHaveValue('AC_a_medias')
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).toContain('AC_a_medias')
  expect(kept).not.toContain('secreto_a_medias')
})

test('two people who change one customer see it: fields are merged, and who is second chooses', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  await edit(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Notas').fill('Alérgica al marisco')
  await form.getByLabel('Cargo').fill('Directora')
  // Meanwhile, from elsewhere.
  const theirs = { notes: 'Prefiere la ventana', company: 'Lumbre' }
  expect((await page.request.patch(`/api${path}`, { data: theirs })).ok()).toBe(true)
  await form.getByRole('button', { name: 'Guardar' }).click()
  const conflict = form.getByRole('group', { name: 'Notas: otra persona lo ha cambiado a la vez' })
  await expect(conflict.getByText('Lo tuyo: Alérgica al marisco')).toBeVisible()
  await expect(conflict.getByText('Lo que hay ahora: Prefiere la ventana')).toBeVisible()
  await expect(form.getByRole('group', { name: /^Cargo/ })).toHaveCount(0)
  expect(await stored(page, path)).toMatchObject({ ...theirs, job_title: null })
  // Without a choice nothing is saved.
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(conflict).toBeVisible()
  await conflict.getByLabel(/^Lo tuyo/).check()
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  expect(await stored(page, path)).toMatchObject({
    notes: 'Alérgica al marisco',
    company: 'Lumbre',
    job_title: 'Directora',
  })

  // The other way round, in English, on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await speakEnglish(page)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await form.getByLabel('Notes').fill('Mine')
  await page.request.patch(`/api${path}`, { data: { notes: 'Theirs' } })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByLabel(/^What it is now/).check()
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  expect(await stored(page, path)).toMatchObject({ notes: 'Theirs' })
})

test('a draft restored over what others changed meanwhile asks about the same field only', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  const path = await customer(page)
  await page.goto(path)
  await edit(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Notas').fill('Lo que yo decía')
  await page.request.patch(`/api${path}`, { data: { notes: 'Lo que dijo otro', address: 'Calle Mayor 1' } })
  await page.reload()
  await expect(form.getByLabel('Notas')).toHaveValue('Lo que yo decía')
  await expect(form.getByLabel('Dirección')).toHaveValue('Calle Mayor 1')
  await form.getByRole('button', { name: 'Guardar' }).click()
  const conflict = form.getByRole('group', { name: 'Notas: otra persona lo ha cambiado a la vez' })
  await conflict.getByLabel(/^Lo que hay ahora/).check()
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  expect(await stored(page, path)).toMatchObject({ notes: 'Lo que dijo otro', address: 'Calle Mayor 1' })
})
