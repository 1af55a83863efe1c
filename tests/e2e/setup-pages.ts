import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { LOCALE_COOKIE } from '../../lib/i18n/locales'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish } from './fixtures'

/** The list of the first steps on the home page. */
export const steps = (page: Page) => page.getByRole('region', { name: 'Primeros pasos' })

/** The set-up list in both themes, and on a phone. */
export async function expectGoodList(page: Page): Promise<void> {
  const usual = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const colorScheme of ['dark', 'light'] as const) {
    await changeScheme(page, colorScheme)
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize(usual)
}

/** The page of a new deployment: in both languages and themes, enlarged and on a phone. */
export async function expectSetupForEverybody(page: Page, url: string): Promise<void> {
  const usual = page.viewportSize() ?? { width: 1280, height: 800 }
  for (const colorScheme of ['dark', 'light'] as const) {
    await changeScheme(page, colorScheme)
    expect(await violations(page)).toEqual([])
  }
  for (const size of [
    { width: 640, height: 400 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expectNoSidewaysScroll(page)
    expect(await violations(page)).toEqual([])
  }
  await page.setViewportSize(usual)
  for (const locale of ['en', 'es']) {
    await page.context().addCookies([{ name: LOCALE_COOKIE, value: locale, url }])
    await page.goto(url)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    if (locale === 'en') await expectNoSpanish(page)
  }
}

/** The pages of a group that has nothing: the button for administrators, else the colleagues to ask. */
export async function expectEmptyPages(page: Page, browser: Browser, url: string): Promise<void> {
  const { data } = await (
    await page.request.post(`${url}/api/team/invitations`, {
      data: { email: 'sala@primero.example', role: 'marketing' },
    })
  ).json()
  const context = await browser.newContext({ locale: 'es-ES' })
  const colleague = await context.newPage()
  const joined = await colleague.request.post(`${url}/api/auth/sign-up`, {
    data: { email: data.email, password: randomUUID(), token: data.token },
  })
  expect(joined.status()).toBe(201)
  for (const [path, title, action] of [
    ['/', 'Todavía no hay locales', 'Ir a los locales'],
    ['/service', 'Todavía no hay locales', 'Ir a los locales'],
    ['/reservations', 'Todavía no hay locales', 'Ir a los locales'],
    ['/loyalty', 'Todavía no hay locales', 'Ir a los locales'],
    ['/reports', 'Todavía no hay locales', 'Ir a los locales'],
    ['/customers', 'Todavía no hay clientes', 'Importar un fichero'],
  ] as const) {
    await page.goto(url + path)
    await expect(page.getByText(title).first()).toBeVisible()
    await expect(page.getByRole('link', { name: action }).first()).toBeVisible()
    await colleague.goto(url + path)
    await expect(colleague.getByText(title).first()).toBeVisible()
    await expect(colleague.getByText(/pide a un administrador/i).first()).toBeVisible()
    await expect(colleague.getByRole('link', { name: action })).toHaveCount(0)
  }
  for (const [path, title] of [
    ['/automations', 'Todavía no hay automatizaciones'],
    ['/tickets', 'No hay incidencias abiertas'],
    ['/calendar?view=agenda', 'No hay eventos este mes'],
  ] as const) {
    await page.goto(url + path)
    await expect(page.getByText(title)).toBeVisible()
  }
  await expect(steps(colleague)).toHaveCount(0)
  await context.close()
}

/** A colleague follows the link of their mail and chooses a password: wrong at first, then right. */
export async function join(browser: Browser, link: string | undefined): Promise<void> {
  const context = await browser.newContext({ locale: 'es-ES' })
  const page = await context.newPage()
  await page.goto(link ?? '')
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(/@primero\.example$/)
  await page.getByLabel('Nombre y apellidos').fill('Persona Invitada')
  const password = page.getByRole('textbox', { name: 'Contraseña' })
  await password.fill('corta')
  await page.getByRole('button', { name: 'Crear la cuenta' }).click()
  await expect(page.getByText('La contraseña tiene que tener entre 10 y 72 caracteres.')).toBeVisible()
  await password.fill(randomUUID())
  await page.getByRole('button', { name: 'Crear la cuenta' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).not.toHaveURL(/sign-up/)
  await context.close()
}
