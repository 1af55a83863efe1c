import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violations } from './axe'
import { findDuplicates } from './duplicates'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const MARKETING = 'marketing@demo.example'
const stamp = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
const phone = () => `+346${String(Date.now() + Math.floor(Math.random() * 1e6)).slice(-8)}`

/** A record of the test's own, made over the API. */
async function made(page: Page, path: string, data: object): Promise<{ id: string; number: number }> {
  const response = await page.request.post(path, { data })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()).data
}
const tagsOf = async (page: Page, id: string): Promise<string[]> =>
  (await (await page.request.get(`/api/customers/${id}`)).json()).data.tags
const bar = (page: Page) => page.getByRole('region', { name: 'Clientes seleccionados' })

/** So many customers with a tag, in the order of their names. */
async function people(page: Page, tag: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const fields = {
      first_name: `N${String(n).padStart(2, '0')}`,
      last_name: `Selección ${tag}`,
      tags: [tag],
    }
    ids.push((await made(page, '/api/customers', fields)).id)
  }
  return ids
}

test.describe('selecting customers', () => {
  test.beforeEach(({ signIn }) => signIn(MARKETING))

  test('a tag is added to some and undone, all by keyboard', async ({ page }) => {
    const [tag, added] = [`sel-${stamp()}`, `nueva-${stamp()}`]
    const [first = '', second = ''] = await people(page, tag, 2)
    await page.goto(`/customers?tag=${tag}&sort=name`)
    await page.getByRole('checkbox', { name: /Seleccionar a N00/ }).focus()
    await page.keyboard.press('Space')
    await expect(bar(page)).toContainText('1 seleccionado')
    await expect(page.getByRole('status').filter({ hasText: '1 seleccionado' })).toHaveCount(1)
    const everybody = page.getByRole('checkbox', { name: 'Seleccionar los clientes de esta página' })
    expect(await everybody.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)

    await everybody.check()
    await expect(bar(page)).toContainText('2 seleccionados')
    await page.getByRole('checkbox', { name: /Seleccionar a N01/ }).uncheck()
    await bar(page).getByRole('button', { name: 'Añadir etiqueta' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Añadir etiqueta' }).click()
    await expect(form.getByText('Escribe una etiqueta.')).toBeVisible()
    await form.getByRole('textbox', { name: 'Etiqueta' }).or(form.getByRole('combobox')).fill(added)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Etiqueta «${added}» añadida a 1 cliente.`)).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    await expect(everybody).toBeFocused()
    expect(await tagsOf(page, first)).toContain(added)
    expect(await tagsOf(page, second)).not.toContain(added)
    await page.getByRole('button', { name: 'Deshacer' }).click()
    await expect(page.getByText(`Deshecho: «${added}» está como antes.`)).toBeVisible()
    expect(await tagsOf(page, first)).toEqual([tag])
  })

  test('holds while one pages, and becomes all that match', async ({ page }) => {
    test.slow()
    const tag = `hoja-${stamp()}`
    await people(page, tag, 52)
    await page.goto(`/customers?tag=${tag}&sort=name`)
    await page.getByRole('checkbox', { name: /Seleccionar a N00/ }).check()
    await page.getByRole('link', { name: 'Página siguiente' }).click()
    await expect(page).toHaveURL(/cursor=/)
    await expect(bar(page)).toContainText('1 seleccionado')
    await page.getByRole('checkbox', { name: 'Seleccionar los clientes de esta página' }).check()
    await expect(bar(page)).toContainText('3 seleccionados')
    await bar(page).getByRole('button', { name: 'Seleccionar los 52 que coinciden' }).click()
    await expect(bar(page)).toContainText('52 seleccionados')
    await bar(page).getByRole('button', { name: 'Quitar etiqueta' }).click()
    await page
      .getByRole('dialog')
      .getByRole('textbox')
      .or(page.getByRole('dialog').getByRole('combobox'))
      .fill(tag)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Etiqueta «${tag}» quitada a 52 clientes.`)).toBeVisible()
    await page.getByRole('button', { name: 'Deshacer' }).click()
    await expect(page.getByText(/^Deshecho/)).toBeVisible()
    await expect(page.getByRole('checkbox', { name: /Seleccionar a N/ })).not.toHaveCount(0)
  })

  test('is forgotten by another list', async ({ page }) => {
    const tag = `otra-${stamp()}`
    await people(page, tag, 1)
    await page.goto(`/customers?tag=${tag}`)
    await page.getByRole('checkbox', { name: /Seleccionar a N00/ }).check()
    await page.getByRole('link', { name: 'Nuevos' }).click()
    await expect(page).toHaveURL(/segment=new/)
    await expect(bar(page)).toHaveCount(0)
  })

  test('is downloaded, and no other customer', async ({ page }) => {
    const tag = `csv-${stamp()}`
    await people(page, tag, 2)
    await page.goto(`/customers?tag=${tag}&sort=name`)
    await page.getByRole('checkbox', { name: /Seleccionar a N01/ }).check()
    const downloading = page.waitForEvent('download')
    await bar(page).getByRole('button', { name: 'Exportar' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^customers-.*\.csv$/)
    const lines = (await readFile((await download.path()) ?? '', 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('"N01";')
  })

  test('works on a phone, and in English', async ({ page }) => {
    const tag = `movil-${stamp()}`
    await people(page, tag, 2)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/customers?tag=${tag}`)
    await page.getByRole('checkbox', { name: /Seleccionar a N00/ }).check()
    await expect(bar(page)).toBeInViewport()
    await expectNoSidewaysScroll(page)
    expect(await violations(page)).toEqual([])
    await speakEnglish(page)
    await page.getByRole('checkbox', { name: /Select N00/ }).check()
    await expectNoSpanish(page)
    await page.getByRole('button', { name: 'Add a tag' }).click()
    await expectNoSpanish(page)
  })
})

test.describe('the palette', () => {
  const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')
  /** Opens the palette. The keys do nothing before the page's scripts run. */
  const openPalette = (page: Page) =>
    expect(async () => {
      if (!(await field(page).isVisible())) await page.keyboard.press('Control+k')
      await expect(field(page)).toBeVisible({ timeout: 1000 })
    }).toPass()
  const open = async (page: Page, text: string) => {
    await openPalette(page)
    await field(page).fill(text)
  }
  const option = (page: Page, group: string, name: string | RegExp) =>
    page.getByRole('group', { name: group }).getByRole('option', { name })

  test('opens the forms of new records, also on their own page', async ({ page, signIn }) => {
    await signIn(MARKETING)
    await page.goto('/')
    for (const [action, path, title] of [
      ['Nuevo cliente', '/customers', 'Nuevo cliente'],
      ['Nueva reserva', '/reservations', 'Nueva reserva'],
      ['Nueva incidencia', '/tickets', 'Nueva incidencia'],
      ['Nuevo evento', '/calendar', 'Nuevo evento'],
    ] as const) {
      await open(page, action)
      await option(page, 'Acciones', action).click()
      await expect(page.getByRole('dialog', { name: title })).toBeVisible()
      await expect(page).toHaveURL(path)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await open(page, 'nuevo evento')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Nuevo evento' })).toBeVisible()
  })

  test('syncs and says how it went', async ({ page, signIn }) => {
    await signIn(MARKETING)
    await page.goto('/tickets')
    await open(page, 'sincronizar')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/Sincronizado|en marcha/)
  })

  test('finds tickets by number and title', async ({ page, signIn }) => {
    await signIn('rrhh@demo.example')
    const subject = `Gotera ${stamp()}`
    const { id, number } = await made(page, '/api/tickets', { subject })
    await page.goto('/')
    await open(page, `#${number}`)
    await expect(option(page, 'Incidencias', new RegExp(subject))).toHaveCount(1)
    await page.getByRole('dialog').getByRole('combobox').fill(subject)
    await option(page, 'Incidencias', new RegExp(`#${number} ${subject}`)).click()
    await expect(page).toHaveURL(`/tickets/${id}`)
  })

  test('offers what the role may', async ({ page, signIn }) => {
    await signIn('rrhh@demo.example')
    await page.goto('/')
    await openPalette(page)
    await expect(option(page, 'Acciones', 'Nueva incidencia')).toHaveCount(1)
    for (const name of ['Nuevo cliente', 'Nueva reserva', 'Abrir el modo servicio'])
      await expect(option(page, 'Acciones', name)).toHaveCount(0)
    await expect(page.getByRole('option', { name: /Configuración/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.context().clearCookies()
    await signIn('admin@demo.example')
    await page.goto('/')
    await open(page, 'tokens')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings/tokens')
  })
})

test('a ticket shows its changes with their authors', async ({ page, signIn }) => {
  await signIn(MARKETING)
  const { id } = await made(page, '/api/tickets', { subject: `Horno ${stamp()}` })
  await page.goto(`/tickets/${id}`)
  const activity = page.getByRole('list', { name: 'Actividad' })
  await page.getByRole('combobox', { name: 'Prioridad' }).selectOption({ index: 3 })
  await expect(activity).toContainText('cambió la prioridad de Media a Urgente')
  await expect(activity).toContainText('movió el plazo')
  await page.getByRole('combobox', { name: 'Responsable' }).selectOption('Andrés Molina')
  await expect(activity).toContainText('se la asignó a Andrés Molina')
  await page.getByRole('combobox', { name: 'Responsable' }).selectOption('')
  await expect(activity).toContainText('la tenía Andrés Molina')
  await page.getByRole('combobox', { name: 'Estado' }).selectOption('Cerrada')
  await expect(activity.getByRole('listitem').last()).toContainText('la cerró')
  await page.getByRole('combobox', { name: 'Estado' }).selectOption('Abierta')
  await expect(activity.getByRole('listitem').last()).toContainText('la reabrió')
  await speakEnglish(page)
  await expect(page.getByRole('list', { name: 'Activity' })).toContainText('closed it')
  await expectNoSpanish(page)
})

test('who is not the same person is not suggested again, until that is taken back', async ({
  page,
  signIn,
}) => {
  await signIn(MARKETING)
  const [shared, mark] = [phone(), stamp()]
  const mail = (suffix: string) => `par-${mark}${suffix}@correo.example`
  // The first is like the second by telephone, the second like the third by mailbox.
  for (const fields of [
    { first_name: 'Par', last_name: mark, phone: shared },
    { first_name: 'Par', last_name: mark, phone: shared, email: mail('') },
    { first_name: 'Par', last_name: mark, email: mail('+x') },
  ])
    await made(page, '/api/customers', fields)
  const group = page.getByRole('article').filter({ hasText: mark })
  const people = group.getByRole('listitem').filter({ hasText: 'visitas' })
  await findDuplicates(page, people, 3)
  await expect(group).toHaveCount(1)
  await expect(group).toContainText('Mismo correo')
  await expect(group).toContainText('Mismo teléfono')
  expect(await violations(page)).toEqual([])

  const third = people.filter({ hasText: mail('+x') })
  await third.getByRole('button', { name: 'No es la misma persona' }).click()
  await expect(page.getByText('Anotado: no es la misma persona.')).toBeVisible()
  await expect(people).toHaveCount(2)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(people).toHaveCount(3)

  await third.getByRole('button', { name: 'No es la misma persona' }).click()
  await expect(people).toHaveCount(2)
  await page.goto('/customers/duplicates/different')
  const dismissed = page.getByRole('article').filter({ hasText: mark })
  await expect(dismissed).toHaveCount(2)
  await expect(dismissed.first()).toContainText('Lo dijo')
  await dismissed.first().getByRole('button', { name: 'Volver a proponer' }).click()
  await expect(dismissed).toHaveCount(1)
  await dismissed.first().getByRole('button', { name: 'Volver a proponer' }).click()
  await expect(dismissed).toHaveCount(0)
  await findDuplicates(page, people, 3)
  await expect(group).toHaveCount(1)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await expectNoSpanish(page)
})
