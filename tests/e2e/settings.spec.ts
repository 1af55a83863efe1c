import { expect, expectNoSidewaysScroll, test } from './fixtures'

test('quiet hours are changed and changed back, and a mistake shows at its field and loses nothing', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  const stored = async () => (await (await page.request.get('/api/organization')).json()).data
  const before = await stored()
  await page.goto('/settings')
  await expect(page).toHaveURL(/\/settings\/general$/)
  const card = page.getByRole('region', { name: 'Mensajes de marketing' })
  const [from, until] = [card.getByLabel('Silencio desde'), card.getByLabel('Silencio hasta')]
  const cap = card.getByLabel('Días entre dos mensajes')
  const save = card.getByRole('button', { name: 'Guardar' })
  await expect(from).toHaveValue(before.quiet_from)
  await expect(save).toBeDisabled()

  await from.fill('05:05')
  await until.fill('05:05')
  await cap.fill('una semana')
  await save.click()
  await expect(card.getByText('Tiene que ser un número entero entre 0 y 365.')).toBeVisible()
  await expect(cap).toHaveAttribute('aria-invalid', 'true')
  await expect(from).toHaveValue('05:05')
  expect(await stored()).toEqual(before)
  await cap.fill(String(before.frequency_cap_days))
  await save.click()
  await expect(page.getByText('Cambios guardados: Mensajes de marketing')).toBeVisible()
  expect(await stored()).toEqual({ ...before, quiet_from: '05:05', quiet_until: '05:05' })
  await page.reload()
  await expect(until).toHaveValue('05:05')

  await from.fill('')
  await save.click()
  await expect(card.getByText('Escribe una hora, por ejemplo 21:30.')).toBeVisible()
  await card.getByRole('button', { name: 'Descartar' }).click()
  await expect(from).toHaveValue('05:05')
  await from.fill(before.quiet_from)
  await until.fill(before.quiet_until)
  await save.click()
  // The button is disabled while it saves, too.
  await expect(page.getByText('Cambios guardados: Mensajes de marketing')).toBeVisible()
  await expect(save).toBeDisabled()
  expect(await stored()).toEqual(before)
})

test('the group’s name and time zone are changed; a new location starts with that time zone', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  const stored = async () => (await (await page.request.get('/api/organization')).json()).data
  const before = await stored()
  await page.goto('/settings/general')
  const card = page.getByRole('region', { name: 'El grupo' })
  const name = card.getByLabel('Nombre del grupo')
  const zone = card.getByLabel('Zona horaria del grupo')
  const save = card.getByRole('button', { name: 'Guardar' })
  await expect(name).toHaveValue(before.name)
  await expect(zone).toHaveValue(before.timezone)
  await name.fill(' ')
  await save.click()
  await expect(card.getByText('Escribe el nombre del grupo.')).toBeVisible()
  await name.fill('Grupo Isleño')
  await zone.selectOption('Atlantic/Canary')
  await save.click()
  await expect(page.getByText('Cambios guardados: El grupo')).toBeVisible()
  expect(await stored()).toEqual({ ...before, name: 'Grupo Isleño', timezone: 'Atlantic/Canary' })
  await page.goto('/settings/locations')
  await page.getByRole('button', { name: 'Añadir local', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Zona horaria')).toHaveValue('Atlantic/Canary')

  const { name: old, timezone } = before
  const back = await page.request.patch('/api/organization', { data: { name: old, timezone } })
  expect(back.ok()).toBe(true)
})

test('the horizon and what is kept are changed, on a phone too', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/general')
  const stored = async () => (await (await page.request.get('/api/organization')).json()).data
  const before = await stored()
  const horizon = page.getByRole('region', { name: 'Reservas por adelantado' })
  await horizon.getByLabel('Días por adelantado').fill('30')
  await horizon.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Cambios guardados: Reservas por adelantado')).toBeVisible()
  await horizon.getByLabel('Días por adelantado').fill('')
  await horizon.getByRole('button', { name: 'Guardar' }).click()
  await expect(horizon.getByRole('button', { name: 'Descartar' })).toHaveCount(0)

  const kept = page.getByRole('region', { name: 'Cuánto se guarda' })
  await kept.getByLabel('Filas con errores (días)').fill('0')
  await kept.getByLabel('Registro de procesos (días)').fill('60')
  await kept.getByRole('button', { name: 'Guardar' }).click()
  await expect(kept.getByText('Tiene que ser un número entero entre 1 y 365.')).toBeVisible()
  await expect(kept.getByLabel('Registro de procesos (días)')).toHaveValue('60')
  await expectNoSidewaysScroll(page)
  await kept.getByLabel('Filas con errores (días)').fill('30')
  await kept.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Cambios guardados: Cuánto se guarda')).toBeVisible()
  expect(await stored()).toEqual({ ...before, horizon_days: null, keep_job_runs_days: 60 })
})

test('a location stops counting unmarked reservations as visits, and counts them again', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/general')
  const card = page.getByRole('region', {
    name: 'Contar como visita las reservas confirmadas que nadie marcó',
  })
  const location = card.getByRole('switch', { name: 'Marisma Cabanyal' })
  await expect(location).toBeChecked()
  await location.click({ force: true })
  await expect(page.getByText('Marisma Cabanyal: solo cuentan las visitas marcadas')).toBeVisible()
  await page.reload()
  await expect(location).not.toBeChecked()
  await location.click({ force: true })
  await expect(page.getByText('cuentan como visita', { exact: false }).last()).toBeVisible()
  await expect(location).toBeChecked()
})

test('an integration is saved, its secret stays hidden, and errors are shown at the field', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'Correo (Resend)' })
  const inUse = card.getByRole('switch', { name: 'Usar esta integración' })
  await expect(inUse).not.toBeChecked()
  await card.getByLabel('Correo del remitente').fill('not an address')
  // Whoever fills an empty form in wants to use it.
  await expect(inUse).toBeChecked()
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('No es una dirección de correo válida.')).toBeVisible()
  await card.getByLabel('Correo del remitente').fill('hola@grupo.example')
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('Hace falta para activar la integración.')).toBeVisible()
  await card.getByRole('textbox', { name: 'Clave (API key)' }).fill('re_e2e_secret_key')
  await card.getByRole('switch', { name: 'Usar esta integración' }).click({ force: true })
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Cambios guardados: Correo (Resend)')).toBeVisible()
  await page.reload()
  await expect(card.getByRole('group', { name: 'Clave (API key)' })).toContainText('Guardada')
  await expect(card.getByLabel('Correo del remitente')).toHaveValue('hola@grupo.example')
  expect(await page.content()).not.toContain('re_e2e_secret_key')
  await card.getByRole('button', { name: 'Quitar' }).click()
  await expect(card.getByText('Se quitará al guardar')).toBeVisible()
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByRole('textbox', { name: 'Clave (API key)' })).toHaveValue('')
})

test('another account asks for the secret again, and an address inside the network is refused', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'SMS y WhatsApp (Twilio)' })
  const save = card.getByRole('button', { name: 'Guardar' })
  await card.getByLabel('Account SID').fill(`AC${'1'.repeat(32)}`)
  await card.getByRole('textbox', { name: 'Auth Token' }).fill('0e2e'.repeat(8))
  // In use it would need a sender.
  await card.getByRole('switch', { name: 'Usar esta integración' }).click({ force: true })
  await save.click()
  await expect(card.getByRole('group', { name: 'Auth Token' })).toContainText('Guardada')
  await card.getByLabel('Account SID').fill(`AC${'2'.repeat(32)}`)
  await save.click()
  await expect(
    card.getByText('por seguridad se ha borrado la clave guardada', { exact: false }),
  ).toBeVisible()
  await expect(card.getByText('Escribe el valor de nuevo', { exact: false })).toBeVisible()
  await expect(card.getByRole('textbox', { name: 'Auth Token' })).toHaveValue('')
  await card.getByLabel('Account SID').fill('')
  await save.click()
  await expect(card.getByText('por seguridad se ha borrado la clave guardada', { exact: false })).toHaveCount(
    0,
  )

  const pms = page.getByRole('region', { name: 'Sistema de reservas (PMS)' })
  await pms.getByLabel('Dirección del sistema de reservas').fill('https://169.254.169.254')
  await pms.getByRole('button', { name: 'Guardar' }).click()
  await expect(pms.getByText('Esa dirección es de enlace local', { exact: false })).toBeVisible()
})

test('a message about the field that a click leaves does not move the switch from under it', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'SMS y WhatsApp (Twilio)' })
  const inUse = card.getByRole('switch', { name: 'Usar esta integración' })
  await card.getByLabel('Account SID').fill('SK1')
  await expect(inUse).toBeChecked()
  await inUse.scrollIntoViewIfNeeded()
  const place = await card.getByText('Usar esta integración').boundingBox()
  if (!place) throw new Error('the switch is not shown')
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  await page.mouse.up()
  await expect(inUse).not.toBeChecked()
  await expect(card.getByText('El Account SID empieza por AC', { exact: false })).toBeVisible()
  await card.getByRole('button', { name: 'Descartar' }).click()
  // Without a press there is nothing to wait for.
  await card.getByRole('textbox', { name: 'Auth Token' }).fill('corto')
  await page.keyboard.press('Tab')
  await expect(card.getByText('El Auth Token tiene 32 caracteres', { exact: false })).toBeVisible()
  await card.getByRole('button', { name: 'Descartar' }).click()
})

test('what is technical is behind a fold, which opens for a mistake', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'Asistente de IA' })
  const temperature = card.getByLabel('Variedad de las respuestas (temperature)')
  await expect(temperature).toBeHidden()
  await card.getByText('Avanzado').click()
  await temperature.fill('muy alta')
  await card.getByText('Avanzado').click()
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('Tiene que ser un número entre 0 y 2.')).toBeVisible()
  await card.getByRole('button', { name: 'Descartar' }).click()
})

test('a provider that is not set up says what is missing when its connection is tried', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'SMS y WhatsApp (Twilio)' })
  await card.getByRole('button', { name: 'Probar conexión' }).click()
  await expect(card.getByText('Faltan el Account SID o el Auth Token.', { exact: false })).toBeVisible()
})

test('the connection to the PMS is tried', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/integrations')
  const card = page.getByRole('region', { name: 'Sistema de reservas (PMS)' })
  const [result, test] = [card.getByRole('status'), card.getByRole('button', { name: 'Probar conexión' })]
  await test.click()
  await expect(result).toContainText('La conexión funciona.')
  await expect(result).toContainText(
    /«casa-lumbre-chamberi»: \d+ reservas, \d+ personas sin contar las canceladas ni las no presentadas, de \d\d:\d\d a \d\d:\d\d/,
  )
  await expect(result).toContainText(/Estados: \d+ /)
  await expect(result).toContainText('client_name, pax, state')

  // What is typed is tried before it is saved, and a result goes when what it was about changes.
  const venue = card.getByLabel('Un local tuyo, como lo llama el PMS (venue ID)')
  await venue.fill('no-hay')
  await expect(result).toBeEmpty()
  await test.click()
  await expect(result).toContainText('no conoce ese local')
  await venue.fill('marisma-cabanyal')
  await test.click()
  await expect(result).toContainText('«marisma-cabanyal»')
  await expectNoSidewaysScroll(page)
  await card.getByRole('button', { name: 'Cambiar' }).click()
  await card.getByRole('textbox', { name: 'Clave (API key)' }).fill('otra')
  await test.click()
  await expect(result).toContainText('no acepta la clave')
  await card.getByLabel('Dirección del sistema de reservas (URL)').fill('http://pms.example')
  await test.click()
  await expect(result).toContainText('Revisa los campos marcados.')
  await expect(card.getByText('Tiene que ser una dirección https://', { exact: false })).toBeVisible()
  await card.getByRole('button', { name: 'Descartar' }).click()
  await page.reload()
  await expect(venue).toHaveValue('')
})

test('a location is added, changed and deleted; one in use is not', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/locations')
  await page.getByRole('button', { name: 'Añadir local' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nombre').fill('Marisma Cabanyal')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Ya hay un local con este nombre.')).toBeVisible()
  await form.getByLabel('Nombre').fill('Brasa Prueba')
  await form.getByLabel('Gasto medio por comensal (€)').fill('27,5')
  await form.getByLabel('Silencio desde').fill('16:00')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Pon las dos horas, o ninguna.')).toBeVisible()
  await form.getByLabel('Silencio hasta').fill('20:30')
  await form.getByRole('button', { name: 'Guardar' }).click()
  const row = page.getByRole('row', { name: /Brasa Prueba/ })
  await expect(row).toContainText('27,50 €')
  await row.getByRole('button', { name: 'Editar Brasa Prueba' }).click()
  await expect(form.getByLabel('Silencio hasta')).toHaveValue('20:30')
  await form.getByRole('switch', { name: 'Local activo' }).click({ force: true })
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(row).toContainText('Inactivo')
  await row.getByRole('button', { name: 'Borrar Brasa Prueba' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Borrar local' }).click()
  await expect(page.getByText('Local borrado: Brasa Prueba')).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Borrar Marisma Cabanyal' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Borrar local' }).click()
  await expect(question.getByText('No se puede borrar: tiene reservas', { exact: false })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Borrar Marisma Cabanyal' })).toBeFocused()
})

test('the jobs tell their last runs in words', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/jobs')
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Reservas al día')).toBeVisible()
  const runs = page.getByRole('list', { name: 'Últimas ejecuciones: Sincronización de reservas' })
  await expect(runs.getByRole('listitem').first()).toContainText('reservas recibidas')
  await expect(runs.getByRole('listitem').first()).toContainText('Correcta')
})
