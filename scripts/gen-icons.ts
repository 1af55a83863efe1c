// Draws the icons of the installed app and the picture of its links in chats (public/social.png) from the brand mark
// (app/icon.svg) and the screenshot of home: `npx tsx scripts/gen-icons.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { CHROMIUM } from './browser'

const mark = readFileSync('app/icon.svg', 'utf8')
// Systems cut a shape out of a maskable icon; the middle 80 % stays. Apple rounds the corners.
const full = mark
  .replace(/<rect [^>]*>/, '<rect x="-16" y="-16" width="64" height="64" fill="#a94a34"/>')
  .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
// Android colours the shape of a badge white.
const badge = mark.replace(/<rect [^>]*>/, '')
const ICONS = [
  ['public/icons/icon-192.png', mark, 192],
  ['public/icons/icon-512.png', mark, 512],
  ['public/icons/maskable-192.png', full, 192],
  ['public/icons/maskable-512.png', full, 512],
  ['public/icons/badge-96.png', badge, 96],
  ['app/apple-icon.png', full, 180],
] as const

const browser = await chromium.launch(CHROMIUM)
for (const [path, svg, size] of ICONS) writeFileSync(path, await drawn(svg, size))
writeFileSync('app/favicon.ico', ico(await drawn(mark, 32), 32))
writeFileSync('public/social.png', await social())
await browser.close()

async function drawn(svg: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`)
  const picture = await page.screenshot({ omitBackground: true })
  await page.close()
  return picture
}

/** An icon file with one PNG in it: a directory of one entry, then the picture. */
function ico(picture: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(picture.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, picture])
}

/** 1200 × 630, as chats and GitHub want it: the name and home, no sentence, so that it serves every language. */
async function social(): Promise<Buffer> {
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
