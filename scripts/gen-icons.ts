// Draws the icons of the installed app from the brand mark (app/icon.svg): `npx tsx scripts/gen-icons.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
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
