import type { Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, expectNoSidewaysScroll, speakEnglish, test } from './fixtures'
import { type Model, startModel } from './model'

let model: Model

test.beforeAll(async () => {
  model = await startModel()
  await model.connect()
})
test.beforeEach(() => model.reset())
test.afterAll(() => model?.close())

const field = (page: Page) => page.getByRole('textbox', { name: /Tu pregunta|Your question/ })
const log = (page: Page) => page.getByRole('log')

/** Sends a question once the last reply is over: Enter does nothing while one is being written. */
async function ask(page: Page, question: string) {
  await expect(page.getByRole('button', { name: /Detener la respuesta|Stop the answer/ })).toHaveCount(0)
  await field(page).fill(question)
  await field(page).press('Enter')
}

/** The model's last request: the conversation, without the opening messages. */
function told(): { role: string; content: string }[] {
  const { messages } = JSON.parse(model.received.at(-1)?.body ?? '{}')
  return messages.filter(({ role }: { role: string }) => role !== 'system')
}

test('a suggested question is answered with a table, and a source leads to the customer', async ({
  page,
  signIn,
}) => {
  const { data } = await (await model.api.get('/api/customers?sort=spend&limit=1')).json()
  const name = [data[0].first_name, data[0].last_name].filter(Boolean).join(' ')
  model.say(
    { calls: [{ id: 'c1', name: 'find_customers', arguments: JSON.stringify({ search: name }) }] },
    { content: `Cuida a **quien** más viene:\n\n| Cliente | Visitas |\n|---|--:|\n| ${name} | 52 |\n` },
  )
  await signIn('operaciones@demo.example')
  await page.goto('/')
  await page.getByRole('link', { name: 'Asistente' }).click()
  const suggestion = page.getByRole('region', { name: 'Preguntas sugeridas' }).getByRole('button').first()
  const question = (await suggestion.locator('span').first().textContent()) ?? ''
  await suggestion.click()
  await expect(log(page).getByText(question)).toBeVisible()
  await expect(log(page).getByRole('cell', { name: '52' })).toBeVisible()
  await expect(log(page).getByText('quien', { exact: true })).toHaveJSProperty('tagName', 'STRONG')
  expect(told().at(0)).toEqual({ role: 'user', content: question })

  await page.getByRole('list', { name: 'Fuentes' }).getByRole('link', { name }).first().click()
  await expect(page).toHaveURL(/\/customers\/[\w-]+$/)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(log(page).getByRole('cell', { name: '52' })).toBeVisible()
  await page.reload()
  await expect(log(page).getByRole('cell', { name: '52' })).toBeVisible()
})

test('an answer comes in pieces and can be stopped; what came stays part of the conversation', async ({
  page,
  signIn,
}) => {
  await signIn('operaciones@demo.example')
  await page.goto('/assistant')
  model.setFault({ kind: 'slow' })
  model.say({ content: 'Primero la terraza.' })
  await field(page).fill('¿Qué hago')
  await field(page).press('Shift+Enter')
  await field(page).pressSequentially('antes de abrir?')
  const asked = model.next()
  await field(page).press('Enter')
  await expect(log(page).getByText('Primero')).toBeVisible()
  await expect(log(page)).toHaveAttribute('aria-busy', 'true')
  await expect(log(page).getByText('terraza')).toHaveCount(0)
  // What is typed meanwhile waits.
  await field(page).fill('¿Y después?')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('¿Y después?')
  await page.getByRole('button', { name: 'Detener la respuesta' }).click()
  await expect(log(page).getByText('Respuesta detenida.')).toBeVisible()
  expect(await (await asked).left).toBe(true)
  expect(told().at(-1)?.content).toBe('¿Qué hago\nantes de abrir?')

  model.setFault(null)
  await page.getByRole('button', { name: 'Enviar' }).click()
  await expect(log(page).getByText('Primero la terraza.')).toBeVisible()
  expect(told()).toEqual([
    { role: 'user', content: '¿Qué hago\nantes de abrir?' },
    { role: 'assistant', content: 'Primero ' },
    { role: 'user', content: '¿Y después?' },
  ])
})

test('the reader who scrolls up is left in peace', async ({ page, signIn }) => {
  await signIn('ceo@demo.example')
  await page.goto('/assistant')
  model.say({ content: Array.from({ length: 60 }, (_, line) => `- punto ${line}`).join('\n') })
  await ask(page, '¿Qué falta por hacer?')
  await expect(log(page).getByText('punto 59')).toBeInViewport()
  model.setFault({ kind: 'slow' })
  model.say({ content: 'Queda barrer la sala.' })
  await ask(page, '¿Algo más?')
  await expect(log(page).getByText('Queda')).toBeInViewport()
  const scrolled = () => log(page).evaluate((box) => box.scrollTop)
  const end = await scrolled()
  await log(page).hover()
  await page.mouse.wheel(0, -60)
  await expect(page.getByRole('button', { name: 'Ir al final' })).toBeVisible()
  // The browser scrolls smoothly.
  await expect.poll(scrolled).toBeCloseTo(end - 60, 0)
  const before = await scrolled()
  model.proceed()
  await expect(log(page)).toHaveAttribute('aria-busy', 'false')
  expect(await scrolled()).toBe(before)
  await page.getByRole('button', { name: 'Ir al final' }).click()
  await expect(log(page).getByText('Queda barrer la sala.')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Ir al final' })).toHaveCount(0)
})

test('a failure is shown, and the question can be asked again', async ({ page, signIn }) => {
  await signIn('ceo@demo.example')
  await page.goto('/assistant')
  model.setFault({ kind: 'unauthorized', message: 'Incorrect API key provided: {key}' })
  await ask(page, '¿Cómo viene la noche?')
  const alert = log(page).getByRole('alert')
  await expect(alert).toContainText('El proveedor de IA no ha podido responder: «Incorrect API key')
  await expect(alert).not.toContainText('sk-e2e')
  model.setFault(null)
  model.say({ content: 'Viene **llena**.' })
  await alert.getByRole('button', { name: 'Volver a preguntar' }).click()
  await expect(log(page).getByText('llena')).toBeVisible()
  await expect(alert).toHaveCount(0)
  expect(told()).toEqual([{ role: 'user', content: '¿Cómo viene la noche?' }])

  const cut = 'event: delta\ndata: {"content":"Mañana "}\n\n'
  await page.route('**/api/ai/chat', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: cut }),
  )
  await ask(page, '¿Y mañana?')
  await expect(alert).toContainText('Se ha cortado la conexión')
  await expect(log(page).getByText('¿Y mañana?')).toBeVisible()
})

test('too many questions are refused with the time to wait', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  await page.goto('/assistant')
  for (let asked = 0; asked < 10; asked++)
    await page.request.post('/api/ai/chat', { data: { message: 'Hola' } })
  await ask(page, '¿Y ahora?')
  await expect(log(page).getByRole('alert')).toContainText(/Espera \d+ segundos? y vuelve a preguntar/)
})

test('a new conversation, after a warning, and signing out leave nothing behind', async ({ page }) => {
  // A session of its own: signing out ends it.
  const data = { email: 'pr@demo.example', password: DEMO_PASSWORD }
  expect((await page.request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
  const kept = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('sobremesa')))
  await page.goto('/assistant')
  await ask(page, '¿Qué tal?')
  await expect(log(page).getByText('Todo en orden.')).toBeVisible()
  expect(await kept()).toHaveLength(1)
  const dialog = page.getByRole('dialog', { name: '¿Empezar una conversación nueva?' })
  await page.getByRole('button', { name: 'Nueva conversación' }).click()
  await expect(dialog).toContainText('Se borrarán tu pregunta y su respuesta')
  await page.keyboard.press('Escape')
  await expect(log(page).getByText('Todo en orden.')).toBeVisible()
  await page.getByRole('button', { name: 'Nueva conversación' }).click()
  await dialog.getByRole('button', { name: 'Borrar y empezar' }).click()
  await expect(page.getByRole('region', { name: 'Preguntas sugeridas' })).toBeVisible()
  expect(await kept()).toEqual([])

  model.setFault({ kind: 'slow' })
  await ask(page, '¿Y ahora?')
  await expect(log(page).getByText('Todo')).toBeVisible()
  await field(page).fill('a medias')
  expect(await kept()).toHaveLength(2)
  await page.getByRole('button', { name: /Tu cuenta/ }).click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect(await kept()).toEqual([])
})

test('a session that ends loses nothing that was typed', async ({ page, context, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/assistant')
  const cookies = await context.cookies()
  await context.clearCookies()
  await ask(page, '¿Cuántos somos hoy?')
  await expect(page).toHaveURL('/sign-in?next=%2Fassistant')
  await context.addCookies(cookies)
  await page.goto('/assistant')
  await expect(field(page)).toHaveValue('¿Cuántos somos hoy?')
})

test('on a phone, in English, a wide answer scrolls by itself', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const row = (cell: string) => `| ${Array(9).fill(cell).join(' | ')} |`
  const address = `https://x.example/${'a'.repeat(300)}`
  model.say({
    content: `${row('Columna')}\n${row('---')}\n${row('dato')}\n\n\`${'b'.repeat(200)}\` ${address}`,
  })
  await signIn('admin@demo.example')
  await page.goto('/assistant')
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Assistant' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Suggested questions' })).toBeVisible()
  await ask(page, 'How many are we tonight?')
  const table = log(page).getByRole('region', { name: 'Table of the answer' })
  await expect(table).toBeVisible()
  await expectNoSidewaysScroll(page)
  expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true)
  expect(await log(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeVisible()
})

test('without a model the page names the responsible colleagues; the unanswered question comes back', async ({
  page,
  signIn,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/assistant')
  await model.disconnect()
  try {
    await ask(page, '¿Cómo viene la noche?')
    const link = page.getByRole('link', { name: 'Ir a integraciones' })
    await expect(link).toHaveAttribute('href', '/settings/integrations')
    await expect(field(page)).toHaveValue('¿Cómo viene la noche?')
    await page.reload()
    await expect(link).toBeVisible()
    await expect(field(page)).toHaveCount(0)
    await page.context().clearCookies()
    await signIn('rrhh@demo.example')
    await page.goto('/assistant')
    await expect(page.getByText('Pídeselo a administración').first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ir a integraciones' })).toHaveCount(0)
  } finally {
    await model.connect()
  }
})
