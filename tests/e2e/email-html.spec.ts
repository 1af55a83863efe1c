import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, type Page, test } from '@playwright/test'

// Generated e-mails as a browser shows them, without the app: EMAILS=10000 for so many, EMAILS_SEED for others.
const COUNT = Number(process.env.EMAILS || 40)
const WIDTHS = [320, 375, 1280]
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

test.describe.configure({ mode: 'parallel' })
test.setTimeout(60_000 + COUNT * 500)

const SUPPORT = resolve('tests/support')

// Server code, which Playwright does not load.
const generated = (): string[] =>
  JSON.parse(
    execFileSync('tsx', ['--import', join(SUPPORT, 'outside-next.ts'), join(SUPPORT, 'print-emails.ts')], {
      env: { ...process.env, LD_PRELOAD: '', EMAILS: String(COUNT) },
      maxBuffer: 2 ** 30,
      encoding: 'utf8',
    }),
  )

for (const colorScheme of ['light', 'dark'] as const)
  test(`e-mails fit at every width and can be read, ${colorScheme}`, async ({ page }) => {
    // In the dark images are blocked, as in many inboxes: there their words are read.
    await page.route('**/*', (route) =>
      colorScheme === 'light' ? route.fulfill({ contentType: 'image/png', body: PIXEL }) : route.abort(),
    )
    await page.emulateMedia({ colorScheme })
    const htmls = generated()
    expect(htmls).toHaveLength(COUNT)
    for (const [at, html] of htmls.entries()) {
      await page.setContent(html)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        expect(await problems(page), `e-mail ${at} at ${width} px`).toEqual([])
      }
    }
    console.log(`${COUNT} e-mails at ${WIDTHS.length} widths, ${colorScheme}`)
  })

/** What hangs over, what has too little contrast (WCAG 2: 4.5), and whether the way out is missing. */
function problems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Color = [red: number, green: number, blue: number, alpha: number]
    const colorOf = (text: string): Color => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
      return [red, green, blue, alpha]
    }
    const luminance = (color: Color) => {
      const [red = 0, green = 0, blue = 0] = color.map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element): Color => {
      for (let one: Element | null = element; one; one = one.parentElement) {
        const color = colorOf(getComputedStyle(one).backgroundColor)
        if (color[3] === 1) return color
      }
      return [255, 255, 255, 1]
    }
    const contrast = (element: Element) => {
      const shades = [colorOf(getComputedStyle(element).color), behind(element)].map(luminance)
      return (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05)
    }

    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`${scrollWidth} of ${clientWidth} px`)
    const shown = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        element.checkVisibility() &&
        (element.matches('img[alt]') ||
          [...element.childNodes].some(
            (node) => node.nodeType === 3 && /[^\s\p{Cf}]/u.test(node.nodeValue ?? ''),
          )),
    )
    for (const element of shown) {
      const ratio = contrast(element)
      if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`)
      const { left, right } = element.getBoundingClientRect()
      if (left < 0 || right > clientWidth + 0.5) found.push(`cut: ${element.outerHTML.slice(0, 120)}`)
    }
    const out = [...document.querySelectorAll('a[href^="https://crm.example/u/"]')]
    if (!out.some((link) => link.checkVisibility() && link.getBoundingClientRect().height > 0))
      found.push('no way out')
    if (shown.length === 0) found.push('nothing to read')
    return found
  })
}
