import 'server-only'
import sharp, { type Sharp } from 'sharp'
import { HttpError } from '@/lib/http/errors'

/** The kinds that mail programs show, by sharp's name for them. */
export const KINDS = {
  png: { extension: 'png', type: 'image/png' },
  jpeg: { extension: 'jpg', type: 'image/jpeg' },
  gif: { extension: 'gif', type: 'image/gif' },
  webp: { extension: 'webp', type: 'image/webp' },
} as const
type Kind = keyof typeof KINDS

const MAX_PIXELS = { side: 6000, all: 24_000_000 }
const MAX_SECONDS = 10

// The other formats, among them SVG, are not even looked for.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((kind) => `VipsForeignLoad${kind}`) })
// Uploads are rare and all different: no cache, one thread each.
sharp.cache(false)
sharp.concurrency(1)

let last: Promise<void> = Promise.resolve()

interface CleanImage {
  kind: Kind
  bytes: Uint8Array
  /** In pixels, turned as the file says it is to be shown. */
  width: number
  height: number
}

/**
 * Decodes an image and encodes its pixels again, in the same kind: without EXIF, XMP, IPTC, comments and text chunks,
 * colour profile (as sRGB), and whatever else a file may carry before, in or after an image. Animations stay so.
 * @param limit bytes of the result; a larger one is encoded once more, with some loss.
 * @throws HttpError 400 for too many pixels (of all frames), 413 over the limit, 415 for what is not such an image.
 */
export async function cleanImage(bytes: Uint8Array, limit: number): Promise<CleanImage> {
  // One at a time: sharp works in Node's four threads, where names are looked up too, and an image may take seconds.
  const cleaned = last.then(() => encodedAgain(bytes, limit))
  last = cleaned.then(
    () => {},
    () => {},
  )
  return cleaned
}

async function encodedAgain(bytes: Uint8Array, limit: number): Promise<CleanImage> {
  const { kind, frames, palette } = await measured(bytes)
  for (const small of [false, true]) {
    const picture = sharp(bytes, {
      ...{ animated: frames > 1, autoOrient: frames === 1, failOn: 'error' },
      limitInputPixels: MAX_PIXELS.all,
    }).timeout({ seconds: MAX_SECONDS })
    const { data, info } = await encoded(picture, kind, { small, palette })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw new HttpError('NOT_AN_IMAGE')
      })
    if (data.length <= limit)
      return { kind, bytes: data, width: info.width, height: info.pageHeight ?? info.height }
  }
  throw new HttpError('BODY_TOO_LARGE')
}

function encoded(picture: Sharp, kind: Kind, { small, palette }: { small: boolean; palette: boolean }) {
  if (kind === 'jpeg') return picture.jpeg({ quality: small ? 70 : 88 })
  if (kind === 'webp') return picture.webp({ quality: small ? 70 : 90 })
  if (kind === 'gif') return picture.gif({ interFrameMaxError: small ? 8 : 0 })
  return picture.png({ compressionLevel: 9, palette: palette || small })
}

/** What the header says, before a pixel is decoded. */
async function measured(bytes: Uint8Array) {
  const header = await sharp(bytes, { animated: true, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new HttpError('NOT_AN_IMAGE')
    })
  const { format, width, height, pages: frames = 1, pageHeight = height, isPalette: palette } = header
  if (!(format in KINDS)) throw new HttpError('NOT_AN_IMAGE')
  if (Math.max(width, pageHeight) > MAX_PIXELS.side || width * height > MAX_PIXELS.all)
    throw new HttpError('IMAGE_TOO_LARGE')
  return { kind: format as Kind, frames, palette }
}
