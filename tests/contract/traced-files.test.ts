import { readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { IMPORT_FILES } from '@/lib/imports/files'

// A build made elsewhere may have had no files to take along.
it
  .skipIf(process.env.APP_BUILT === '1' && process.env.BUILT_WITH_FILES !== '1')
  .each(['api/admin/import-csv/route', '(dashboard)/settings/import/page'])(
  'the five CSV files go along where %s runs',
  (route) => {
    const trace = `.next/server/app/${route}.js.nft.json`
    const { files } = JSON.parse(readFileSync(trace, 'utf8')) as { files: string[] }
    const paths = files.map((file) => relative('.', resolve(dirname(trace), file)))
    expect(paths).toEqual(expect.arrayContaining(IMPORT_FILES.map(({ file }) => file)))
  },
)

it('the fonts of the PDF go along where it is made', () => {
  const trace = '.next/server/app/api/morning/pdf/route.js.nft.json'
  const { files } = JSON.parse(readFileSync(trace, 'utf8')) as { files: string[] }
  const paths = files.map((file) => relative('.', resolve(dirname(trace), file)))
  const fonts = [
    ...['Helvetica', 'HelveticaBold'].map((name) => `pdfkit/js/standard-fonts/${name}.cjs`),
    ...['sans', 'sans-sc', 'sans-jp', 'sans-kr', 'sans-hebrew', 'sans-thai'].map(
      (family) => `@fontsource-variable/noto-${family}/unicode.json`,
    ),
    '@fontsource-variable/noto-sans/files/noto-sans-cyrillic-wght-normal.woff2',
    '@fontsource-variable/noto-sans-sc/files/noto-sans-sc-116-wght-normal.woff2',
    '@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2',
    '@fontsource/unifontex/files/unifontex-latin-400-normal.woff2',
    ...[
      'subset-font/index.js',
      'harfbuzzjs/dist/harfbuzz-subset.wasm',
      'wawoff2/build/decompress_binding.js',
    ],
  ].map((file) => `node_modules/${file}`)
  expect(paths).toEqual(expect.arrayContaining(fonts))
})

it('the library that re-encodes images goes along where they are uploaded, and nowhere else', () => {
  const traced = (route: string) => readFileSync(`.next/server/app/${route}.js.nft.json`, 'utf8')
  const upload = traced('api/email-images/route')
  expect(upload).toMatch(/node_modules\/@img\/sharp-[a-z0-9-]+\/lib\/[^"]+\.node"/)
  expect(upload).toMatch(/node_modules\/@img\/sharp-libvips-[a-z0-9-]+\/lib\/libvips/)
  expect(traced('api/automations/route')).not.toContain('@img/sharp')
})
