import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanImage } from '@/lib/email-design/clean-image'
import { createGroup, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let marketing: Client
let folder: string
beforeAll(async () => {
  app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Fotos', [{ name: 'Norte', slug: 'norte' }])
  folder = group.id
  marketing = await signedIn(await group.person('marketing'))
})
afterAll(() => app?.close())

/** A word in every place that holds metadata; a file that has lost them has it nowhere. */
const SECRET = 'Calle de Ana 7'
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${SECRET}"/></rdf:RDF></x:xmpmeta>`
const EXIF = {
  IFD0: { Artist: SECRET, Copyright: SECRET },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '41/1 23/1 7/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 9/1 3/1',
  },
}
const RED = [200, 40, 40]
const BLUE = [40, 40, 200]

/** 48 × 24 pixels, the left half red and the right half blue. */
function halves() {
  const left = { create: { width: 24, height: 24, channels: 3 as const, background: '#c82828' } }
  return sharp({ create: { width: 48, height: 24, channels: 3, background: '#2828c8' } }).composite([
    { input: left, left: 0, top: 0 },
  ])
}
const described = (orientation = 1) =>
  halves().withExif(EXIF).withXmp(XMP).withMetadata({ orientation }).withIccProfile('p3')

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
/** Puts segments behind the start of a JPEG: a comment, and IPTC in Photoshop's. */
function withSegments(jpeg: Buffer): Buffer {
  const segment = (marker: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data])
  const byline = Buffer.concat([Buffer.from([0x1c, 2, 80]), u16(SECRET.length), Buffer.from(SECRET)])
  const iptc = Buffer.concat([
    Buffer.from('Photoshop 3.0\0' + '8BIM'),
    Buffer.from([4, 4, 0, 0, 0, 0]),
    u16(byline.length),
    byline,
    Buffer.alloc(byline.length % 2),
  ])
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xed, iptc),
    segment(0xfe, Buffer.from(SECRET)),
    jpeg.subarray(2),
  ])
}
const crc = (bytes: Buffer) => {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
/** Puts a chunk of text behind the header of a PNG. */
function withText(png: Buffer): Buffer {
  const body = Buffer.from(`tEXtComment\0${SECRET}`)
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(body.length - 4, 0)
  ends.writeUInt32BE(crc(body), 4)
  return Buffer.concat([png.subarray(0, 33), ends.subarray(0, 4), body, ends.subarray(4), png.subarray(33)])
}
/** Puts a comment before the end of a GIF. */
const withComment = (gif: Buffer) =>
  Buffer.concat([
    gif.subarray(0, -1),
    Buffer.from([0x21, 0xfe, SECRET.length]),
    Buffer.from(SECRET),
    Buffer.from([0, 0x3b]),
  ])
/** A red frame and a blue one, shown for 100 and 300 ms. */
async function animation(kind: 'gif' | 'webp'): Promise<Buffer> {
  const wide = await halves().png().toBuffer()
  const frames = await sharp(wide).rotate(90).raw().toBuffer()
  const raw = { width: 24, height: 48, channels: 3 as const, pageHeight: 24 }
  return sharp(frames, { raw })
    [kind]({ delay: [100, 300], loop: 3 })
    .withXmp(XMP)
    .toBuffer()
}

async function upload(bytes: Uint8Array, { type = 'image/jpeg', headers = {} } = {}) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), 'foto.jpg')
  return answer(await marketing.request('POST', '/api/email-images', { body: form, headers }))
}
/** What is read at the address of an image that was uploaded. */
async function stored(bytes: Uint8Array) {
  const { status, body } = await upload(bytes)
  expect(status).toBe(201)
  const read = await fetch(body.data.url)
  expect(read.headers.get('content-type')).toBe(body.data.content_type)
  const kept = Buffer.from(await read.arrayBuffer())
  expect(kept.length).toBe(body.data.bytes)
  return { kept, data: body.data, is: await sharp(kept, { animated: true }).metadata() }
}
async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const one = sharp(bytes).removeAlpha().extract({ left, top, width: 1, height: 1 })
  return [...(await one.raw().toBuffer())]
}
const near = (rgb: number[]) => rgb.map((value) => expect.closeTo(value, -1.3))
const nothing = { exif: undefined, xmp: undefined, iptc: undefined, icc: undefined, comments: undefined }

describe('a stored image', () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    [
      'JPEG with EXIF, XMP, IPTC and a comment',
      async () => withSegments(await described().jpeg().toBuffer()),
      'jpeg',
    ],
    ['PNG with text, EXIF and XMP', async () => withText(await described().png().toBuffer()), 'png'],
    ['WebP with EXIF and XMP', () => described().webp().toBuffer(), 'webp'],
    ['GIF with a comment', async () => withComment(await halves().gif().toBuffer()), 'gif'],
  ])('has lost the metadata of a %s, and is the same picture', async (_, make, format) => {
    const sent = await make()
    expect(sent.includes(SECRET)).toBe(true)
    const { kept, data, is } = await stored(sent)
    expect(kept.includes(SECRET)).toBe(false)
    expect({ ...nothing, ...is }).toMatchObject({
      ...nothing,
      format,
      width: 48,
      height: 24,
      hasProfile: false,
    })
    expect(is.orientation ?? 1).toBe(1)
    expect([data.width, data.height]).toEqual([48, 24])
    expect(await pixel(kept, 8, 12)).toEqual(near(RED))
    expect(await pixel(kept, 40, 12)).toEqual(near(BLUE))
  })

  it('is turned as its EXIF says, and no longer says so', async () => {
    const { kept, data, is } = await stored(await described(6).jpeg().toBuffer())
    expect([data.width, data.height, is.width, is.height, is.orientation]).toEqual([
      24,
      48,
      24,
      48,
      undefined,
    ])
    expect(await pixel(kept, 12, 8)).toEqual(near(RED))
    expect(await pixel(kept, 12, 40)).toEqual(near(BLUE))
  })

  it.each(['gif', 'webp'] as const)('keeps moving as %s', async (kind) => {
    const { kept, data, is } = await stored(await animation(kind))
    expect(kept.includes(SECRET)).toBe(false)
    expect(is).toMatchObject({ pages: 2, pageHeight: 24, delay: [100, 300], loop: 3, format: kind })
    expect([data.width, data.height]).toEqual([24, 24])
  })

  it.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'is nothing else as well: what follows a %s is gone',
    async (kind) => {
      const page = Buffer.from(`<html><script>alert('${SECRET}')</script>PK\x03\x04`)
      const { kept } = await stored(Buffer.concat([await halves()[kind]().toBuffer(), page]))
      expect(kept.includes('script')).toBe(false)
    },
  )

  it('has few colours where it had few', async () => {
    const { kept, is } = await stored(await halves().png({ palette: true, colours: 4 }).toBuffer())
    expect([is.isPalette, await pixel(kept, 8, 12)]).toEqual([true, RED])
  })
})

describe('no image', () => {
  /** A GIF of seven frames, each of 2,000 pixels a side by its header. */
  const bomb = async () => {
    const raw = { width: 1, height: 7, channels: 3 as const, pageHeight: 1 }
    const frames = Buffer.from(Array.from({ length: 21 }, (_, at) => at * 12))
    const bytes = await sharp(frames, { raw }).gif().toBuffer()
    bytes.writeUInt16LE(2000, 6)
    bytes.writeUInt16LE(2000, 8)
    return bytes
  }
  const jpeg = () => halves().jpeg().toBuffer()
  const small = { headers: { 'content-length': '10' } }
  it.each<[string, () => Promise<Uint8Array>, Parameters<typeof upload>[1], number, string]>([
    ['an image declared as HTML', jpeg, { type: 'text/html' }, 415, 'NOT_AN_IMAGE'],
    ['an image declared as SVG', jpeg, { type: 'image/svg+xml' }, 415, 'NOT_AN_IMAGE'],
    [
      'SVG declared as PNG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      {},
      415,
      'NOT_AN_IMAGE',
    ],
    [
      'a page before an image',
      async () => Buffer.concat([Buffer.from('<!--'), await jpeg()]),
      {},
      415,
      'NOT_AN_IMAGE',
    ],
    ['TIFF', () => halves().tiff().toBuffer(), {}, 415, 'NOT_AN_IMAGE'],
    ['AVIF', () => halves().avif().toBuffer(), {}, 415, 'NOT_AN_IMAGE'],
    ['half a JPEG', async () => (await jpeg()).subarray(0, 300), {}, 415, 'NOT_AN_IMAGE'],
    ['frames of too many pixels', bomb, {}, 400, 'IMAGE_TOO_LARGE'],
    [
      'more than its Content-Length says',
      async () => Buffer.alloc(2 ** 21 + 1),
      small,
      413,
      'BODY_TOO_LARGE',
    ],
  ])('%s is refused, and nothing is stored', async (_, make, how, status, code) => {
    const files = () => stackClient(app.stack, 'service').storage.from('email-images').list(folder)
    const before = (await files()).data?.length
    expect(await upload(await make(), how)).toEqual({ status, body: expect.objectContaining({ code }) })
    expect((await files()).data?.length).toBe(before)
  })
})

it('many images at once are re-encoded one by one, and leave Node’s other threads free', async () => {
  const plain = sharp({ create: { width: 1500, height: 1500, channels: 3, background: '#c82828' } })
  const image = await plain.webp().toBuffer()
  let isOver = false
  const all = Promise.all(Array.from({ length: 6 }, () => cleanImage(image, 2_000_000))).finally(() => {
    isOver = true
  })
  let most = 0
  while (!isOver) {
    most = Math.max(most, sharp.counters().process)
    await new Promise(setImmediate)
  }
  expect(await all).toHaveLength(6)
  expect(most).toBe(1)
})
