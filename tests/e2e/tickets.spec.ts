import { expect, expectNoSidewaysScroll, expectNoSpanish, openFilters, speakEnglish, test } from './fixtures'

const NUMBER = /#(\d+)/

test('a ticket is opened, talked about, moved and resolved; mistakes lose nothing', async ({
  page,
  signIn,
}) => {
  await signIn('operaciones@demo.example')
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Navegación principal' })
    .getByRole('link', { name: 'Incidencias' })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Incidencias' })).toBeVisible()
  await page.getByRole('button', { name: 'Nueva incidencia' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Descripción').fill('No enfría desde esta mañana.')
  await form.getByLabel('Prioridad y plazo').selectOption('Urgente (2 h)')
  await form.getByRole('button', { name: 'Crear incidencia' }).click()
  await expect(form.getByText('Escribe un asunto.')).toBeVisible()
  await expect(form.getByLabel('Descripción')).toHaveValue('No enfría desde esta mañana.')
  await form.getByLabel('Asunto').fill('Cámara de frío averiada')
  await form.getByLabel('Local').selectOption('Marisma Cabanyal')
  await form.getByLabel('Cliente (opcional)').fill('garcia')
  const found = form.getByRole('listbox', { name: 'Clientes encontrados' }).getByRole('option').first()
  await expect(found).toBeVisible()
  const customer = ((await found.textContent()) ?? '').replace(/\S+@.*|\+\d.*/, '').trim()
  await found.click()
  await expect(form.getByRole('group', { name: 'Cliente (opcional)' })).toContainText(customer.slice(0, 8))
  // The API refuses: what was entered stays.
  await page.route('**/api/tickets', (route) => route.fulfill({ status: 409, json: { error: 'Conflict' } }), {
    times: 1,
  })
  await form.getByRole('button', { name: 'Crear incidencia' }).click()
  await expect(form.getByText('No se ha podido guardar.', { exact: false })).toBeVisible()
  await expect(form.getByLabel('Asunto')).toHaveValue('Cámara de frío averiada')
  await form.getByRole('button', { name: 'Crear incidencia' }).click()
  const toast = page.getByText(/^Incidencia #\d+ creada$/)
  await expect(toast).toBeVisible()
  const number = NUMBER.exec((await toast.textContent()) ?? '')?.[1] ?? ''

  const open = page.getByRole('region', { name: /^Abierta/ })
  const card = page.getByRole('article', { name: 'Cámara de frío averiada' })
  await expect(open.getByRole('article', { name: 'Cámara de frío averiada' })).toContainText('Vence en 1 h')
  await expect(card).toContainText('Sin asignar')
  // By keyboard alone: the card goes to its column, and the focus with it.
  const move = card.getByRole('combobox', { name: `Estado de la incidencia #${number}` })
  await move.focus()
  await move.selectOption('En curso')
  await expect(page.getByText(`Incidencia #${number} · Estado: En curso`)).toBeVisible()
  const inProgress = page.getByRole('region', { name: /^En curso/ })
  await expect(inProgress.getByRole('article', { name: 'Cámara de frío averiada' })).toBeVisible()
  await expect(move).toBeFocused()

  await card.getByRole('link', { name: 'Cámara de frío averiada' }).click()
  await expect(
    page.getByRole('heading', { level: 1, name: `#${number} Cámara de frío averiada` }),
  ).toBeVisible()
  await expect(page.getByText('No enfría desde esta mañana.')).toBeVisible()
  await expect(page.getByRole('link', { name: customer.slice(0, 8) })).toHaveAttribute(
    'href',
    /\/customers\//,
  )
  await page.getByRole('button', { name: 'Comentar' }).click()
  await expect(page.getByText('Escribe algo antes de enviarlo.')).toBeVisible()
  await page.getByLabel('Añadir un comentario').fill('El técnico viene a las cinco.')
  await page.getByRole('button', { name: 'Comentar' }).click()
  const activity = page.getByRole('list', { name: 'Actividad' })
  await expect(activity).toContainText('Óscar Benítez')
  await expect(activity).toContainText('El técnico viene a las cinco.')
  await expect(page.getByLabel('Añadir un comentario')).toHaveValue('')

  await page.getByRole('combobox', { name: 'Responsable' }).selectOption('Andrés Molina')
  await expect(page.getByText(`Incidencia #${number} · Responsable: Andrés Molina`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Estado' }).selectOption('Resuelta')
  await expect(page.getByRole('definition').getByText('Resuelta a tiempo')).toBeVisible()
  await expect(activity.getByRole('listitem').last()).toContainText('la dio por resuelta')
  // Deleting is for those who may change the settings.
  await expect(page.getByRole('button', { name: 'Borrar' })).toHaveCount(0)
  await page.context().clearCookies()
  await signIn('admin@demo.example')
  await page.reload()
  await page.getByRole('button', { name: 'Borrar' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Se borra con todos sus comentarios')
  await question.getByRole('button', { name: 'Borrar incidencia' }).click()
  await expect(page.getByText(`Incidencia #${number} borrada`)).toBeVisible()
  await expect(page).toHaveURL(/\/tickets$/)
  await expect(page.getByRole('article', { name: 'Cámara de frío averiada' })).toHaveCount(0)
})

test('what is late says so in words, and the list is filtered and shared by its address', async ({
  page,
  signIn,
}) => {
  await signIn('rrhh@demo.example')
  await page.goto('/tickets')
  const late = page.getByRole('article', { name: 'Queja por la espera del sábado' })
  await expect(late).toContainText(/Vencida hace \d+ h/)
  await expect(late).toContainText('Alta')
  await page.getByRole('link', { name: 'Lista' }).click()
  await expect(page).toHaveURL(/view=list/)
  const table = page.getByRole('table', { name: 'Lista de incidencias' })
  await expect(table.getByRole('row', { name: /Actualizar la carta de alérgenos/ })).toContainText('Cerrada')
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Responsable' }).selectOption('Las mías')
  await expect(page).toHaveURL(/assignee_id=me/)
  await expect(table.getByRole('row', { name: /Formación en alérgenos/ })).toContainText('Rocío Herrero')
  await expect(table.getByRole('row', { name: /Fotos nuevas/ })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Estado' }).selectOption('Cerrada')
  await expect(page.getByText('Ninguna incidencia coincide')).toBeVisible()
  await page.keyboard.press('Escape')
  const set = page.getByRole('list', { name: 'Filtros puestos' })
  await set.getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).not.toHaveURL(/assignee_id=me/)
  await page.getByRole('searchbox').fill('#5')
  await expect(page).toHaveURL(/search=%235/)
  await expect(table.getByRole('row', { name: /lámparas/ })).toContainText('En espera')
  await page.goto('/tickets/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('Esta incidencia no existe')).toBeVisible()
})

test('a failed change is shown at the field, and the former value comes back', async ({ page, signIn }) => {
  await signIn('operaciones@demo.example')
  await page.goto('/tickets')
  const card = page.getByRole('article', { name: 'Fotos nuevas de los platos para la web' })
  const move = card.getByRole('combobox')
  await page.route('**/api/tickets/*', (route) => route.fulfill({ status: 409, json: { error: 'Conflict' } }))
  await move.selectOption('Resuelta')
  await expect(card.getByText('No se ha podido guardar.', { exact: false })).toBeVisible()
  await expect(move).toHaveValue('open')
})

test('tickets on a phone, in English', async ({ page, signIn }) => {
  await signIn('pr@demo.example')
  await page.goto('/tickets')
  await speakEnglish(page)
  await expect(page.getByText(/Overdue by/).first()).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/tickets', '/tickets?view=list']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible()
    await expectNoSpanish(page)
    await expectNoSidewaysScroll(page)
  }
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await expectNoSidewaysScroll(page)
})
