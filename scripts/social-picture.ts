import { readFileSync } from 'node:fs'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'

/**
 * The picture of a link in chats and on GitHub, 1200 × 630: the name, and the screenshot of home. No sentence, so that it
 * serves every language.
 */
export async function socialPicture(browser: Browser): Promise<Buffer> {
  const mark = readFileSync('app/icon.svg', 'utf8')
  const home = readFileSync('public/screenshots/home.png').toString('base64')
  const font = readFileSync('node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2')
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.setContent(`<style>
    @font-face { font-family: Geist; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}) }
    * { margin: 0; box-sizing: border-box }
    body { height: 630px; overflow: hidden; background: #f7f5f2; font: 600 60px Geist; color: #1f1b19; letter-spacing: -.03em }
    header { display: flex; align-items: center; gap: 24px; height: 152px; padding: 0 80px }
    svg { width: 76px; height: 76px }
    img { display: block; width: 1040px; margin: 0 80px; border: 1px solid #e6e1db; border-radius: 14px;
      box-shadow: 0 12px 40px rgb(60 40 30 / 14%) }
  </style><header>${mark}<span>Sobremesa</span></header><img src="data:image/png;base64,${home}">`)
  await page.evaluate(() => document.fonts.ready)
  const picture = await page.screenshot()
  await page.close()
  return sharp(picture).png({ palette: true, quality: 90 }).toBuffer()
}
