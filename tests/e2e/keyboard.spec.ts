import { changeScheme, violationsOfDialog } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { tabTo } from './keyboard'
import { PAGES, pathOf } from './pages'

interface MainAction {
  route: string
  /** What the page is for: a button, or a link to a file. */
  role: 'button' | 'link'
  name: string
  /** The dialog that the button opens. */
  opens?: string
  /** The link that skips what stands before it. */
  skipBy?: string
}

const FACTS = 'Alergias y preferencias'
const ACTIONS: MainAction[] = [
  { route: '/service', role: 'button', name: 'Sin reserva', opens: '¿Cuántos son?' },
  { route: '/service', role: 'button', name: 'Lista de espera', opens: 'Lista de espera' },
  { route: '/service/tables', role: 'button', name: 'Buscar mesa libre', opens: 'Buscar mesa libre' },
  { route: '/service/guests/[id]', role: 'button', name: `Editar ${FACTS.toLowerCase()}`, opens: FACTS },
  { route: '/morning', role: 'link', name: 'PDF para imprimir' },
  {
    route: '/settings/locations/[id]',
    role: 'button',
    name: 'Añadir varias',
    opens: 'Añadir varias',
    skipBy: 'Ir a las mesas',
  },
]

for (const { route, role, name, opens, skipBy } of ACTIONS) {
  test(`${route}: ${name} is reached and used by keyboard alone`, async ({ page, signIn }) => {
    const entry = PAGES.find((one) => one.route === route)
    if (!entry?.as) throw new Error(`${route} is not a page for people`)
    await signIn(entry.as)
    await page.goto(await pathOf(entry, page.request))
    const action = page.getByRole('main').getByRole(role, { name, exact: true })
    if (skipBy) {
      await tabTo(page, page.getByRole('main').getByRole('link', { name: skipBy }))
      await page.keyboard.press('Enter')
    }
    await tabTo(page, action)
    const file = opens ? null : page.waitForEvent('download')
    await page.keyboard.press('Enter')
    if (!opens) return void (await file)
    const opened = page.getByRole('dialog', { name: opens })
    await expect(opened).toBeVisible()
    for (const scheme of ['light', 'dark'] as const) {
      await changeScheme(page, scheme)
      expect(await violationsOfDialog(page)).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    expect(await violationsOfDialog(page)).toEqual([])
    // Escape closes it, and gives the focus back.
    await page.keyboard.press('Escape')
    await expect(opened).toHaveCount(0)
    await expect(action).toBeFocused()
  })
}

test('the day’s list is printed by keyboard alone', async ({ page, signIn }) => {
  const entry = PAGES.find(({ route }) => route === '/print/reservations')
  await signIn(entry?.as ?? '')
  await page.addInitScript(() => {
    window.print = () => {
      document.title = 'printed'
    }
  })
  await page.goto('/print/reservations')
  await tabTo(page, page.getByRole('button', { name: 'Imprimir' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('printed')
})
