import PDFDocument from 'pdfkit'
import { expect, it, vi } from 'vitest'
import { paperFonts } from '@/lib/paper/fonts'

// A deployment that lacks the files of one family, and has no font of the last resort.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const readFile: typeof real.readFile = ((path: string, ...options: []) =>
    /noto-sans-(?:sc|jp|kr)|unifontex/.test(path)
      ? Promise.reject(new Error(`ENOENT: ${path}`))
      : real.readFile(path, ...options)) as typeof real.readFile
  return { ...real, readFile }
})

it('a font that cannot be read costs its letters, not the report', async () => {
  const doc = new PDFDocument()
  const { write } = await paperFonts(doc, ['王 Жанна'])
  const written = write('王 Жанна', 'regular')
  expect(written[0]).toEqual({ cluster: '?', font: 'Helvetica' })
  expect(written.at(-1)?.font).toContain('cyrillic')
})
