import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'

const CSV = `nombre;apellido;email;phone;código país;cumpleaños;mesa favorita
Lucía;Peñalver;lucia.penalver@correo.example;600111222;+34;12/04/1985;4
Marcos;Iriarte;no-es-un-correo;;;;
Noelia;Cano;noelia.cano@correo.example;;;31/02/1990;
Iñaki;Zubiri;inaki.zubiri@correo.example;;;02/11/1979;
Lucía;Peñalver;lucia.penalver@correo.example;;;;
`

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
