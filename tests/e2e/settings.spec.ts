import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CHOSEN } from './colleague'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { connectResend } from './resend'

/** Whether Auth makes links: the embedded one does not. */
const HAS_ADMIN_API = process.env.STACK === 'postgres'

const CSV = `nombre;apellido;email;phone;código país;cumpleaños;mesa favorita
Lucía;Peñalver;lucia.penalver@correo.example;600111222;+34;12/04/1985;4
Marcos;Iriarte;no-es-un-correo;;;;
Noelia;Cano;noelia.cano@correo.example;;;31/02/1990;
Iñaki;Zubiri;inaki.zubiri@correo.example;;;02/11/1979;
Lucía;Peñalver;lucia.penalver@correo.example;;;;
`

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

/** Chooses a file; one chosen before the page listens is chosen again. */
async function chooseFile(page: Page, name: string, content: string) {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) }
  const preview = page.getByRole('region', { name: 'Primeras filas del fichero' })
  await expect(async () => {
    await page.getByLabel('Fichero CSV de clientes').setInputFiles(file)
    await expect(preview).toBeVisible({ timeout: 2000 })
  }).toPass()
  return preview
}

test('a CSV is previewed and imported, and its rows with a problem come back', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/import')
  const preview = await chooseFile(page, 'clientes-e2e.csv', CSV)
  await expect(preview.getByRole('columnheader', { name: /cumpleaños/ })).toContainText('Fecha de nacimiento')
  await expect(preview.getByRole('columnheader', { name: /mesa favorita/ })).toContainText('no se importa')
  await page.getByLabel('Local', { exact: true }).selectOption('Marisma Cabanyal')
  await page.getByLabel('Sí: ya son clientes del grupo').check()
  await page.getByRole('button', { name: 'Importar', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Importación con errores' })).toBeVisible()
  await expect(page.getByText('3 nuevos, 1 repetido en el fichero, 2 con un problema')).toBeVisible()
  await expect(page.getByText('De las filas con un problema, 1 se ha importado sin ese dato.')).toBeVisible()
  const errors = page.getByRole('list', { name: 'Errores de la importación' })
  await expect(errors).toContainText('Fila 2: el correo no es válido')
  await expect(errors).toContainText('Fila 3: la fecha de nacimiento no es válida · importada sin ese dato')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Descargar las filas con un problema' }).click()
  const rows = await readFile((await (await downloading).path()) ?? '', 'utf8')
  expect(rows).toContain('no-es-un-correo')
  expect(rows).toContain('"la fecha de nacimiento no es válida; importada sin ese dato"')
  expect(rows).not.toContain('lucia.penalver')
  const past = page.getByRole('row', { name: /clientes-e2e\.csv/ }).first()
  await expect(past).toContainText('Marisma Cabanyal')
  await expect(past).toContainText('Con errores')
})

test('columns that are not known are named by hand, and the basis for writing must be chosen', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn('admin@demo.example')
  await page.goto('/settings/import')
  const rows = Array.from({ length: 1200 }, (_, n) => `Convidat ${n};convidat${n}@catala.example;${n}`)
  const preview = await chooseFile(page, 'catala.csv', ['Qui;Bústia;Taula', ...rows, ''].join('\n'))
  const start = page.getByRole('button', { name: 'Importar', exact: true })
  await expect(
    page.getByText('Indica qué columna tiene el correo o el teléfono', { exact: false }),
  ).toBeVisible()
  await expect(start).toBeDisabled()
  await page.getByLabel('Bústia').selectOption('Correo electrónico')
  await page.getByLabel('Qui', { exact: true }).selectOption('Nombre')
  await expect(preview.getByRole('columnheader', { name: /Bústia/ })).toContainText('Correo electrónico')
  await expectNoSidewaysScroll(page)
  await start.click()
  await expect(page.getByText('Elige una opción antes de importar.')).toBeVisible()
  await page.getByLabel('No: sin permiso no se les escribe').check()
  await expect(page.getByText('Elige una opción antes de importar.')).toHaveCount(0)
  await start.click()
  await expect(page.getByText('1.200 nuevos', { exact: true })).toBeVisible({ timeout: 40_000 })
  await expectNoSidewaysScroll(page)
  const [run] = (await (await page.request.get('/api/imports?limit=1')).json()).data
  expect(run).toMatchObject({ file_name: 'catala.csv', created: 1200, consent: 'none' })
})

test('a file that is none of customers cannot be imported', async ({ page, signIn }) => {
  await signIn('super@demo.example')
  await page.goto('/settings/import')
  await chooseFile(page, 'otro.csv', 'a;b\n1;2\n')
  await expect(page.getByRole('button', { name: 'Importar', exact: true })).toBeDisabled()
})

test.describe('a host with limits', () => {
  test.use({ expectedNoise: /status of (413|502)|ERR_FAILED/ })

  test('a file that the host does not take is not sent, and a refusal says that nothing was imported', async ({
    page,
    signIn,
  }) => {
    await signIn('admin@demo.example')
    await page.goto('/settings/import')
    const workbook = { name: 'clientes.xlsx', mimeType: '', buffer: Buffer.from([80, 75, 3, 4, 20, 0, 6, 0]) }
    await expect(async () => {
      await page.getByLabel('Fichero CSV de clientes').setInputFiles(workbook)
      await expect(page.getByText('«clientes.xlsx» no es un CSV.', { exact: false })).toBeVisible({
        timeout: 2000,
      })
    }).toPass()
    const path = join(tmpdir(), `grande-${process.pid}.csv`)
    await writeFile(path, 'email;nombre\n')
    await truncate(path, 51 * 1024 * 1024)
    await expect(async () => {
      await page.getByLabel('Fichero CSV de clientes').setInputFiles(path)
      await expect(
        page.getByText('El fichero ocupa 51 MB, y como mucho pueden ser 50 MB de una vez.'),
      ).toBeVisible({
        timeout: 2000,
      })
    }).toPass()
    await rm(path)
    await expect(page.getByText('No se ha enviado nada.')).toBeVisible()

    // Vercel's own answer, one of a proxy that lost the app, and none at all.
    const plain = { contentType: 'text/plain', body: 'Refused' }
    for (const [answer, text] of [
      [{ status: 413, ...plain }, 'El servidor no admite un fichero tan grande. No se ha importado nada.'],
      [{ status: 502, ...plain }, 'El servidor no ha podido leer el fichero. No se ha importado nada'],
      [null, 'La conexión se ha cortado antes de que empezara la importación.'],
    ] as const) {
      await page.route('**/api/imports', (route) => (answer ? route.fulfill(answer) : route.abort()))
      await chooseFile(page, 'pocos.csv', 'email;nombre\nana@pocos.example;Ana\n')
      await page.getByLabel('No: sin permiso no se les escribe').check()
      await page.getByRole('button', { name: 'Importar', exact: true }).click()
      await expect(page.getByText(text)).toBeVisible()
      await expect(page.getByText('Lo que llegó a importarse')).toHaveCount(0)
      await page.unroute('**/api/imports')
      await page.getByRole('button', { name: 'Elegir otro' }).click()
    }
  })
})

test('the files of the locations are listed, found or missing, and imported with a button', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/import')
  const panel = page.getByRole('region', { name: 'Los ficheros de cada local' })
  const missing = panel.getByRole('row', { name: /casa-lumbre-chamberi\.csv/ })
  await expect(missing).toContainText('No está')
  await expect(panel).toContainText('Se buscan en')
  await expect(panel.getByRole('button', { name: 'No hay ficheros que importar' })).toBeDisabled()
  const found = panel.getByRole('row', { name: /marisma-cabanyal\.csv/ })
  await placed('marisma-cabanyal.csv', 'email;nombre\nvera@ficheros.example;Vera\nmal;Leo\n', async () => {
    await page.reload()
    await expect(found).toContainText('Encontrado')
    await panel.getByRole('button', { name: 'Importar el fichero encontrado' }).click()
    await expect(panel.getByRole('listitem').filter({ hasText: 'marisma-cabanyal.csv' })).toContainText(
      '1 fila importada, 1 con un problema',
    )
    await expect(panel.getByRole('listitem').filter({ hasText: 'casa-lumbre-chamberi.csv' })).toContainText(
      'no estaba',
    )
  })
})

/** Does something while a file is in the demo's folder for them. */
async function placed(file: string, content: string, work: () => Promise<void>) {
  const folder = join(process.env.DATA_DIR ?? '.data', 'import')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, file), content, { flag: 'wx' })
  try {
    await work()
  } finally {
    await rm(join(folder, file))
  }
}

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

test.describe('a team', () => {
  // A link to a new password is refused where Auth makes none.
  test.use({ expectedNoise: HAS_ADMIN_API ? /(?!)/ : /status of 501/ })

  test('a colleague is invited, signs up, sees what the role allows, and is removed', async ({
    page,
    signIn,
    browser,
  }) => {
    const email = `e2e-${Date.now()}@grupo.example`
    await signIn('admin@demo.example')
    await page.goto('/settings/team')
    await page.getByRole('button', { name: 'Invitar a alguien' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Correo electrónico').fill('operaciones@demo.example')
    await form.getByRole('button', { name: 'Invitar', exact: true }).click()
    await expect(form.getByText('Este correo ya es de alguien del equipo.')).toBeVisible()
    await form.getByLabel('Correo electrónico').fill(email)
    await form.getByLabel('Nombre y apellidos').fill('Elena Pruebas')
    await form.getByLabel('Perfil').selectOption('Recursos Humanos')
    await form.getByRole('button', { name: 'Invitar', exact: true }).click()
    await expect(
      page.getByRole('dialog', { name: 'Invitación creada con el perfil Recursos Humanos' }),
    ).toBeVisible()
    const old = await form.getByLabel('Enlace para crear la cuenta').inputValue()
    await expect(form.getByText('Solo se muestra ahora.', { exact: false })).toBeVisible()
    await form.getByRole('button', { name: 'Hecho' }).click()

    const context = await browser.newContext()
    const colleague = await context.newPage()
    const sent: string[] = []
    colleague.on('request', (request) => {
      sent.push(`${request.method()} ${request.url()} ${request.headers().referer ?? ''}`)
    })
    const follow = async (address: string) => {
      await colleague.goto('about:blank')
      await colleague.goto(new URL(address).pathname + new URL(address).hash)
    }
    const password = colleague.getByRole('textbox', { name: 'Contraseña' })
    const create = colleague.getByRole('button', { name: 'Crear la cuenta' })
    await follow(old)
    await expect(colleague.getByText('Te invita', { exact: false })).toBeVisible()
    await password.fill(CHOSEN)

    const open = page.getByRole('table', { name: 'Invitaciones abiertas' })
    await expect(open).toContainText(email)
    // Nothing left while no e-mail was connected; once it is, with one click.
    const mailNow = page.getByRole('button', { name: `Enviar por correo la invitación de ${email}` })
    await expect(mailNow).toHaveCount(0)
    const resend = await connectResend(page.request)
    try {
      await page.reload()
      await mailNow.click()
      await expect(page.getByText(`Invitación enviada a ${email}`)).toBeVisible()
      await expect(open.getByRole('row', { name: email })).toContainText('correo enviado')
      await expect(mailNow).toHaveCount(0)
      expect(resend.accepted.map((mail) => mail.email.to)).toEqual([email])
    } finally {
      await resend.close()
    }
    await page.getByRole('button', { name: `Retirar la invitación de ${email}` }).click()
    const confirmation = page.getByRole('alertdialog')
    await expect(confirmation).toContainText('el perfil Recursos Humanos')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Enviar un enlace nuevo a ${email}` }).click()
    await expect(confirmation).toContainText('da el perfil Recursos Humanos')
    await confirmation.getByRole('button', { name: 'Enviar enlace nuevo' }).click()
    await expect(
      page.getByRole('dialog', { name: 'Enlace nuevo para el perfil Recursos Humanos' }),
    ).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await form.getByRole('button', { name: 'Copiar enlace' }).click()
    await expect(form.getByRole('button', { name: 'Copiado' })).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/sign-up#token=[\w-]{43}$/)
    expect(link).not.toBe(old)
    await form.getByRole('button', { name: 'Hecho' }).click()
    await page.reload()
    await expect(open).toContainText('El enlace vale hasta')
    expect(await page.content()).not.toContain(String(link.split('token=')[1]))

    // Open since before the new link was made.
    await create.click()
    await expect(colleague.getByText('El enlace no vale para estos datos', { exact: false })).toBeVisible()
    await expect(password).toHaveValue(CHOSEN)
    await expect(colleague.getByRole('link', { name: 'Cámbiala', exact: false })).toBeVisible()
    await follow(old)
    await expect(colleague.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
    await expect(create).toHaveCount(0)
    await follow(link)
    // Name and address are there: only the password is typed.
    const address = colleague.getByLabel('Correo electrónico')
    await expect(address).toHaveValue(email)
    await expect(address).not.toBeEditable()
    await expect(password).toBeFocused()
    const ownName = colleague.getByLabel('Nombre y apellidos')
    await expect(ownName).toHaveValue('Elena Pruebas')
    await ownName.fill('Elena Prueba')
    await password.fill('corta')
    await create.click()
    await expect(colleague.getByText('entre 10 y 72 caracteres', { exact: false })).toBeVisible()
    await password.fill(CHOSEN)
    await create.click()
    await expect(colleague.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
    const nav = colleague.getByRole('navigation', { name: 'Navegación principal' })
    await expect(nav.getByRole('link', { name: 'Configuración' })).toHaveCount(0)
    await expect(nav.getByRole('link', { name: 'Clientes' })).toHaveCount(0)
    await colleague.goto('/settings/team')
    await expect(colleague.getByRole('heading', { name: 'No tienes acceso a esta página' })).toBeVisible()
    // Neither an address asked for nor a Referer held the token.
    expect(sent.filter((line) => line.includes('token='))).toEqual([])

    await page.reload()
    await page.getByRole('button', { name: 'Crear enlace para una nueva contraseña de Elena Prueba' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByText('dáselo solo a ella', { exact: false })).toBeVisible()
    // Its words stay inside, although the dialog stands in a table's cell.
    expect(await question.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
    await question.getByRole('button', { name: 'Crear enlace' }).click()
    if (HAS_ADMIN_API) {
      const reset = new URL(await form.getByLabel('Enlace de Elena Prueba').inputValue())
      await form.getByRole('button', { name: 'Hecho' }).click()
      await colleague.goto(reset.pathname + reset.search)
      await colleague.getByRole('textbox', { name: 'Contraseña nueva' }).fill(`${CHOSEN}!`)
      await colleague.getByRole('button', { name: 'Guardar la contraseña' }).click()
      await expect(colleague.getByText('Contraseña cambiada', { exact: false })).toBeVisible()
      await colleague.getByRole('link', { name: 'Iniciar sesión' }).click()
      await address.fill(email)
      await password.fill(`${CHOSEN}!`)
      await colleague.getByRole('button', { name: 'Entrar' }).click()
      await expect(colleague.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
    } else {
      await expect(
        question.getByText('Esta instalación no puede crear enlaces', { exact: false }),
      ).toBeVisible()
      await page.keyboard.press('Escape')
    }
    await context.close()

    await page.getByRole('button', { name: 'Quitar a Elena Prueba' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar del equipo' }).click()
    await expect(page.getByText('Elena Prueba ya no está en el equipo')).toBeVisible()
    await expect(page.getByRole('row', { name: /Elena Prueba/ })).toHaveCount(0)
  })
})

test('signing up requires an invitation', async ({ page }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Crear tu cuenta' })).toBeVisible()
  await expect(page.getByText('abre el enlace de tu invitación', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crear la cuenta' })).toHaveCount(0)
  await page.goto(`/sign-up#token=${'x'.repeat(43)}`)
  await expect(page.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Crear la cuenta' })).toHaveCount(0)
  const silent = '**/api/auth/invitation'
  const busy = { status: 429, json: { error: 'Rate limit exceeded', code: 'RATE_LIMITED' } }
  await page.route(silent, (route) => route.fulfill(busy))
  await page.reload()
  await expect(page.getByText('Ahora mismo no se puede leer tu invitación', { exact: false })).toBeVisible()
  await page.unroute(silent)
  await page.getByRole('button', { name: 'Volver a intentarlo' }).click()
  await expect(page.getByText('Este enlace ya no vale', { exact: false })).toBeVisible()
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
