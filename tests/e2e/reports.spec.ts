import { LOCATION_SLUGS } from '../../lib/pms/location-slugs'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const MANAGER = 'operaciones@demo.example'

test('the reports say who comes again; the split and the period are in the address', async ({
  page,
  signIn,
}) => {
  await signIn(MANAGER)
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Informes', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Informes' })).toBeVisible()
  const cohorts = page.getByRole('table', { name: /^Clientes nuevos por mes/ })
  await expect(cohorts.getByRole('row', { name: /^Todos los clientes nuevos/ })).toContainText(/\d\s?%/)
  // Of this month's guests nobody knows yet.
  await expect(cohorts.getByText('Aún no').first()).toBeVisible()
  await page.getByLabel('Desglose').selectOption({ label: 'Por local de la primera visita' })
  await expect(page).toHaveURL(/split=location/)
  await expect(cohorts.getByRole('row', { name: /Chamberí/ })).toBeVisible()
  await page.getByLabel('Periodo').selectOption('6')
  await expect(page).toHaveURL(/months=6/)
  await page.getByText('Cómo se cuenta').click()
  await expect(page.getByText(/^Una cohorte es el grupo/)).toBeVisible()
})

test('the week’s money is the first thing on the page, two taps from home on a phone', async ({
  page,
  signIn,
}) => {
  await signIn(MANAGER)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await page.getByRole('link', { name: 'Informes', exact: true }).last().click()
  const money = page.getByText('Ingresos', { exact: true }).first().locator('xpath=..')
  await expect(money).toContainText(/\d[\d.]*\s€ est\./)
  await expect(money).toContainText(/% sobre la media de 4 semanas/)
  await expect(money).toBeInViewport()
  const places = page.getByRole('table', { name: /^Cada local en la semana del/ })
  await expect(places.getByRole('row', { name: /Chamberí/ })).toContainText('€')
  await expect(places.getByRole('row', { name: /^En total/ })).toContainText('%')
  const figures = page.getByText('Ver como tabla: Las semanas en cifras')
  await figures.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Las semanas en cifras' }).getByRole('row')).toHaveCount(16)
  await expectNoSidewaysScroll(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Descargar los informes' })
      .click()
      .then(() => page.getByRole('link', { name: 'Semanas (CSV)' }).click()),
  ])
  expect(file.suggestedFilename()).toMatch(/^weeks-.*\.csv$/)
})

test('each location has a picture of its weeks, with its figures in a table; a tap shows it alone', async ({
  page,
  signIn,
}) => {
  await signIn(MANAGER)
  await page.setViewportSize({ width: 320, height: 844 })
  await page.goto('/reports')
  const places = page.getByRole('list').filter({ has: page.getByRole('link', { name: /Chamberí/ }) })
  // Other tests add locations.
  for (const name of Object.keys(LOCATION_SLUGS))
    await expect(places.getByRole('listitem').filter({ hasText: name })).toHaveCount(1)
  await expect(places.getByRole('listitem').filter({ hasText: 'Chamberí' })).toContainText(/\d[\d.]*\s€/)
  await page.getByText('Ver como tabla: Ingresos de cada local por semana, en euros').click()
  const table = page.getByRole('table', { name: 'Ingresos de cada local por semana, en euros' })
  for (const name of Object.keys(LOCATION_SLUGS))
    await expect(table.getByRole('row', { name })).toHaveCount(1)
  await expect(table.getByRole('row', { name: /Chamberí/ }).getByRole('cell')).toHaveCount(14)
  // No label under the columns lies on its neighbour.
  const overlaps = await page.getByRole('figure').evaluateAll((figures) =>
    figures.flatMap((figure) => {
      const labels = [...figure.querySelectorAll('[class*=label]')].filter(
        (label) => getComputedStyle(label).visibility === 'visible',
      )
      const areas = labels.map((label) => {
        const range = document.createRange()
        range.selectNodeContents(label)
        return range.getBoundingClientRect()
      })
      return areas.flatMap((area, n) =>
        n > 0 && area.left < (areas[n - 1]?.right ?? 0) + 2 ? [area.left] : [],
      )
    }),
  )
  expect(overlaps).toEqual([])
  await expectNoSidewaysScroll(page)
  await places.getByRole('link', { name: /Chamberí/ }).click()
  await expect(page).toHaveURL(/\?location=/)
  await expect(page.getByText('Cada local, semana a semana')).toHaveCount(0)
})

test('a report is downloaded as CSV', async ({ page, signIn }) => {
  await signIn(MANAGER)
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Descargar los informes' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Ingresos por nivel (CSV)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^tiers-.*\.csv$/)
})

test('the reports by channel fit on a phone, and speak English', async ({ page, signIn }) => {
  await signIn(MANAGER)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/reports?split=channel')
  await expect(page.getByRole('heading', { name: 'Ingresos por nivel' })).toBeVisible()
  // The value beside the longest bar, too, is within its panel.
  const beyond = await page.locator('section [aria-hidden] span').evaluateAll((all) =>
    all.flatMap((each) => {
      const text = document.createRange()
      text.selectNodeContents(each)
      const end = each.closest('section')?.getBoundingClientRect().right ?? 0
      return text.getBoundingClientRect().right > end - 8 ? each.textContent : []
    }),
  )
  expect(beyond).toEqual([])
  await expectNoSidewaysScroll(page)
  await page.goto('/reports?split=source')
  await speakEnglish(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  await expectNoSpanish(page)
})

test('the heat of weekdays and hours fits a narrow phone and a printed page; the channels add up', async ({
  page,
  signIn,
}) => {
  await signIn(MANAGER)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/reports')
  const heat = page.getByRole('table', { name: /^Media de comensales por día de la semana y hora/ })
  await expect(heat.getByRole('row')).toHaveCount(8)
  await expect(heat.getByRole('columnheader', { name: '21 h' })).toHaveCount(1)
  // The fullest hour has the darkest colour, and its number.
  await expect(heat.locator('[data-heat="5"]').first()).toHaveText(/^\d+(,\d)?$/)
  await expectNoSidewaysScroll(page)
  const region = page.getByRole('region', { name: /^Comensales por día de la semana y hora/ })
  await region.scrollIntoViewIfNeeded()
  const monday = heat.getByRole('rowheader', { name: 'lunes' })
  await region.evaluate((box) => box.scrollTo(1000, 0))
  await expect(monday).toBeInViewport({ ratio: 1 })
  const channels = page.getByRole('table', { name: 'De dónde vienen' })
  const shares = await channels.getByRole('cell').filter({ hasText: '%' }).allTextContents()
  expect(shares).toHaveLength(3)
  const sum = shares.reduce((all, text) => all + Number(text.replace(/\D/g, '')), 0)
  expect(Math.abs(sum - 100)).toBeLessThanOrEqual(1)
  // A4 at 96 dpi, without its margins.
  await page.setViewportSize({ width: 718, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  const tables = page
    .getByRole('main')
    .getByRole('region')
    .filter({ has: page.getByRole('table') })
  const cut = await tables.evaluateAll((boxes) =>
    boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.getAttribute('aria-label')),
  )
  expect(cut).toEqual([])
  await expect(page.getByRole('banner')).toBeHidden()
})
