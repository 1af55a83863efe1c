import { deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { violations, violationsOfDialog } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { tabTo } from './keyboard'

const stamp = Date.now()
const TAG = `diseno-${stamp}`

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext()
  const data = { email: 'admin@demo.example', password: DEMO_PASSWORD }
  expect((await context.request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
  const guest = {
    first_name: 'Lucía',
    last_name: `Diseño ${stamp}`,
    email: `diseno-${stamp}@correo.example`,
    birth_date: `1984-${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(5, 10)}`,
    tags: [TAG],
    consent: { email: { basis: 'opt_in', reason: 'Lo pidió' } },
  }
  expect((await context.request.post('/api/customers', { data: guest })).status()).toBe(201)
  await context.close()
})

/** A small black PNG. */
function png(): Buffer {
  const crc = (bytes: Buffer) => {
    let sum = 0xffffffff
    for (const byte of bytes) {
      sum ^= byte
      for (let k = 0; k < 8; k++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
    }
    const out = Buffer.alloc(4)
    out.writeUInt32BE((sum ^ 0xffffffff) >>> 0)
    return out
  }
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type), data])
    return Buffer.concat([length, body, crc(body)])
  }
  const head = Buffer.from([0, 0, 0, 64, 0, 0, 0, 32, 8, 0, 0, 0, 0])
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(65 * 32))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const block = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const add = (page: Page, type: string) =>
  page
    .getByRole('group', { name: 'Añadir a «Bloques del correo»' })
    .getByRole('button', { name: type })
    .click()

async function startDesign(page: Page) {
  await page.goto('/automations/new?type=birthday')
  await page.getByLabel('Nombre', { exact: true }).fill(`Con diseño ${stamp}`)
  await page.getByLabel('Etiquetas', { exact: true }).fill(TAG)
  await page.getByLabel('Asunto', { exact: true }).fill('Felicidades')
  await page.getByLabel('Formato del correo', { exact: true }).selectOption('design')
  await expect(page.getByLabel('Resumen en la bandeja de entrada', { exact: true })).toBeVisible()
}

test('an e-mail is designed in the look of the group, previewed at both widths, and sent', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/locations')
  await page.getByRole('button', { name: 'Aspecto de los correos', exact: true }).click()
  const look = page.getByRole('dialog', { name: 'Aspecto de los correos del grupo' })
  await look.getByLabel('Color principal', { exact: true }).fill('#004d40')
  await look.getByLabel('Nombre del remitente', { exact: true }).fill('Casa Lumbre')
  await expect(look.getByRole('region', { name: 'Muestra del correo' })).toContainText('Casa Lumbre')
  expect(await violationsOfDialog(page)).toEqual([])
  await look.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Aspecto de los correos del grupo guardado')).toBeVisible()

  await signIn('marketing@demo.example')
  await startDesign(page)
  await add(page, 'Título del correo')
  const heading = page.getByRole('textbox', { name: '2. Título del correo' })
  await heading.fill('Feliz día, ')
  await page.getByLabel('Insertar en 2. Título del correo', { exact: true }).selectOption('first_name')
  await expect(heading).toHaveValue('Feliz día, {{ first_name | default: "cliente" }}')

  const text = page.getByRole('textbox', { name: '1. Párrafo' })
  await text.fill('El postre es nuestro.')
  await text.press('ControlOrMeta+a')
  await block(page, '1. Párrafo').getByRole('button', { name: 'Negrita' }).click()
  await expect(text.locator('strong')).toHaveText('El postre es nuestro.')

  await add(page, 'Imagen')
  await page.getByRole('button', { name: 'Elegir imagen' }).click()
  const large = { name: 'grande.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) }
  await page.getByLabel('Subir una imagen').setInputFiles(large)
  await expect(page.getByText('La imagen pasa de 2 MB y no se ha guardado.')).toBeVisible()
  await page
    .getByLabel('Subir una imagen')
    .setInputFiles({ name: 'postre.png', mimeType: 'image/png', buffer: png() })
  const image = block(page, '3. Imagen')
  await expect(image.locator('img')).toHaveJSProperty('naturalWidth', 64)
  await image.getByLabel('Qué se ve en la imagen', { exact: true }).fill('Un postre')

  await add(page, 'Botón')
  await page.getByRole('textbox', { name: 'Enlace del botón' }).fill('https://casa.example/reservas')
  const preview = page.getByRole('region', { name: 'Vista previa' })
  // axe cannot look into the frame, which runs no scripts.
  await preview.getByRole('button', { name: 'Sin formato' }).click()
  expect(await violations(page)).toEqual([])
  await preview.getByRole('button', { name: 'En el móvil' }).click()
  const mail = preview.frameLocator('iframe')
  await expect(mail.getByRole('heading', { name: 'Feliz día, Lucía' })).toBeVisible()
  await expect(mail.locator('strong')).toHaveText('El postre es nuestro.')
  await expect(mail.getByRole('link', { name: 'Reservar mesa' })).toHaveCSS(
    'background-color',
    'rgb(0, 77, 64)',
  )
  await expect(mail.getByRole('img', { name: 'Un postre' })).toHaveJSProperty('naturalWidth', 64)
  await expect(mail.locator('.card')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  for (const [name, width] of [
    ['En el móvil', 375],
    ['En el ordenador', 700],
  ] as const) {
    await preview.getByRole('button', { name }).click()
    await expect(preview.locator('iframe')).toHaveJSProperty('offsetWidth', width)
    expect(await mail.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await preview.getByRole('button', { name: 'Modo oscuro' }).click()
  await expect(mail.locator('.card')).toHaveCSS('background-color', 'rgb(33, 29, 27)')
  await preview.getByRole('button', { name: 'Sin formato' }).click()
  await expect(preview.locator('pre')).toContainText('Reservar mesa: https://casa.example/reservas')

  await page.getByRole('button', { name: 'Guardar desactivada' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Con diseño ${stamp}` })).toBeVisible()
})

test('blocks are moved by keyboard, duplicated, deleted, undone; a design is kept as a template', async ({
  page,
  signIn,
}) => {
  await signIn('marketing@demo.example')
  await startDesign(page)
  await page.getByRole('button', { name: 'Empezar con una plantilla' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Gracias por venir' }).click()
  const names = () =>
    page
      .getByRole('list', { name: 'Bloques del correo' })
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.dataset.type))
  await expect.poll(names).toEqual(['heading', 'text', 'button', 'divider', 'footer'])

  await page.getByRole('button', { name: 'Bajar 1. Título del correo' }).click()
  await expect.poll(names).toEqual(['text', 'heading', 'button', 'divider', 'footer'])
  await expect(block(page, '2. Título del correo')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(names).toEqual(['heading', 'text', 'button', 'divider', 'footer'])
  await page.getByRole('button', { name: 'Duplicar 3. Botón' }).click()
  await page.getByRole('button', { name: 'Borrar 1. Título del correo' }).click()
  await expect.poll(names).toEqual(['text', 'button', 'button', 'divider', 'footer'])
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(names).toEqual(['heading', 'text', 'button', 'divider', 'footer'])
  await page.getByRole('button', { name: 'Rehacer' }).click()
  await expect.poll(names).toEqual(['heading', 'text', 'button', 'button', 'divider', 'footer'])

  await page.getByRole('button', { name: 'Guardar como plantilla' }).click()
  await page.getByLabel('Nombre de la plantilla', { exact: true }).fill(`Mía ${stamp}`)
  await page.getByRole('button', { name: 'Guardar plantilla' }).click()
  await expect(page.getByText(`Plantilla guardada: Mía ${stamp}`)).toBeVisible()
  await page.getByRole('button', { name: 'Empezar con una plantilla' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: `Mía ${stamp}`, exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: `Borrar la plantilla Mía ${stamp}` }).click()
  await expect(dialog.getByRole('button', { name: `Mía ${stamp}`, exact: true })).toBeHidden()
})

test('the editor fits a phone, and speaks English', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await startDesign(page)
  await add(page, 'Dos columnas')
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await page.goto('/automations/new?type=birthday')
  await page.getByLabel('E-mail format', { exact: true }).selectOption('design')
  await expect(page.getByLabel('Summary in the inbox', { exact: true })).toBeVisible()
  await expectNoSpanish(page)
})

test('marketing changes the colour of the group’s e-mails, and sees it in a new campaign', async ({
  page,
  signIn,
}) => {
  await signIn('marketing@demo.example')
  await page.goto('/campaigns')
  await page.getByRole('link', { name: 'Aspecto de los correos' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Aspecto de los correos' })).toBeVisible()
  const card = page.getByRole('main').getByRole('region').first()
  const open = card.getByRole('button', { name: /^Cambiar el aspecto de los correos de / })
  await tabTo(page, open)
  await page.keyboard.press('Enter')
  const look = page.getByRole('dialog', { name: 'Aspecto de los correos del grupo' })
  for (const address of ['Correo del remitente', 'Las respuestas van a']) {
    await expect(look.getByLabel(address, { exact: true })).toHaveJSProperty('readOnly', true)
    await expect(look.getByLabel(address, { exact: true })).toHaveAccessibleDescription(
      'Lo cambia administración.',
    )
  }
  await look.getByLabel('Color principal', { exact: true }).fill('#5b2a86')
  expect(await violationsOfDialog(page)).toEqual([])
  await look.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Aspecto de los correos del grupo guardado')).toBeVisible()
  await expect(card).toContainText('#5b2a86')
  expect(await violations(page)).toEqual([])

  const definition = { field: 'tags', is: 'any', tags: [TAG] }
  const segment = await page.request.post('/api/segments', {
    data: { name: `Aspecto ${stamp}`, shared: true, definition },
  })
  const href = 'https://casa.example/reservas'
  const email_design = { blocks: [{ id: 'a', type: 'button', label: 'Reservar', href, align: 'left' }] }
  const messages = [{ step: 1, channel: 'email', subject: 'Otoño', email_design }]
  const segment_id = (await segment.json()).data.id
  const made = await page.request.post('/api/campaigns', {
    data: { name: `Con aspecto ${stamp}`, segment_id, messages },
  })
  expect(made.status(), await made.text()).toBe(201)
  await page.goto(`/campaigns/${(await made.json()).data.id}/edit`)
  const mail = page.getByRole('region', { name: 'A quién y cómo llega' }).frameLocator('iframe')
  await expect(mail.getByRole('link', { name: 'Reservar' })).toHaveCSS('background-color', 'rgb(91, 42, 134)')

  await page.request.patch('/api/email-looks', { data: { color: null } })
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto('/campaigns')
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Más acciones', exact: true }).click()
  await page.getByRole('link', { name: 'Aspecto de los correos' }).click()
  await expect(card).toContainText('#a94a34 (el habitual)')
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await expect(page.getByRole('heading', { level: 1, name: 'E-mail look' })).toBeVisible()
  await expectNoSpanish(page)
})
