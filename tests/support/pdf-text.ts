import { inflateSync } from 'node:zlib'

/** The stream of an object of a PDF, unpacked. */
function streamOf(file: Buffer, id: string): string {
  const source = file.toString('latin1')
  const start = source.indexOf('stream\n', source.indexOf(`\n${id} 0 obj`)) + 'stream\n'.length
  return inflateSync(file.subarray(start, source.indexOf('\nendstream', start))).toString('latin1')
}

const fromHex = (hex: string) =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((code) => Number.parseInt(code, 16)))

/** What the codes of an embedded font mean, as a reader copies them: [] for a font of every reader. */
function meaningsOf(file: Buffer, font: string): string[] {
  const map = /\/ToUnicode (\d+) 0 R/.exec(font)?.[1]
  if (!map) return []
  const meanings: string[] = []
  for (const [, from = '', , list = ''] of streamOf(file, map).matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([\w ]*)>/g)].entries())
      meanings[Number.parseInt(from, 16) + index] = fromHex(hex.replaceAll(' ', ''))
  return meanings
}

/** The texts of each page of a PDF that pdfkit made, a line for each piece. Right-to-left pieces are as they are read, and in the order
 * of the paper among the others. */
export function pdfPages(file: Buffer): string[] {
  const source = file.toString('latin1')
  const objects = new Map(
    [...source.matchAll(/\n(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, text]) => [id, text]),
  )
  const fonts = new Map<string, string[]>()
  for (const [, name = '', id = ''] of source.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(name, meaningsOf(file, objects.get(id) ?? ''))
  const contents = [...source.matchAll(/\/Contents (\d+) 0 R/g)].map(([, id = '']) => streamOf(file, id))
  return contents.map((content) => {
    let meanings: string[] = []
    let [place, before] = ['', { place: '', embedded: false }]
    const pieces: string[] = []
    const parts = /\/(F\d+) [\d.]+ Tf|([\d.-]+) Tm|\[([^\]]*)\] TJ/g
    for (const [, name, y, array = ''] of content.matchAll(parts)) {
      if (name) meanings = fonts.get(name) ?? []
      else if (y) place = y
      else {
        const embedded = meanings.length > 0
        const hex = [...array.matchAll(/<([0-9a-f]*)>/g)].map(([, part = '']) => part).join('')
        const piece = embedded ? read(hex, meanings) : Buffer.from(hex, 'hex').toString('latin1')
        // Pieces of a line that two fonts write belong together.
        const goesOn = place === before.place && (embedded || before.embedded)
        pieces.push(goesOn ? `${pieces.pop()}${piece}` : piece)
        before = { place, embedded }
      }
    }
    return pieces.join('\n')
  })
}

function read(hex: string, meanings: readonly string[]): string {
  const texts = (hex.match(/.{4}/g) ?? []).map((code) => meanings[Number.parseInt(code, 16)] ?? '\ufffd')
  return (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(texts.join('')) ? texts.reverse() : texts).join('')
}
