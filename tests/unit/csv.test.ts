import Papa from 'papaparse'
import { describe, expect, it, vi } from 'vitest'
import { csvLine, escapeCell, unescapeCell } from '@/lib/csv/cells'
import { delimiterOf } from '@/lib/csv/decode'
import { recordReader } from '@/lib/csv/read-records'
import { parseBirthDate } from '@/lib/imports/parse-row'
import { groupRows } from '@/lib/imports/run-import'
import { CSV_PIECES } from '../bench/guards/pieces'

/** Cells joined by `|`, a broken record's first line behind its reason. */
function read(text: string | Buffer, chunk: number, limit = 1000): string[] {
  const found: string[] = []
  const reader = recordReader(';', limit, ({ cells, broken }) =>
    found.push(`${broken ? `${broken}:` : ''}${cells().join('|')}`),
  )
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk))
  reader.end()
  return found
}

describe('the record reader', () => {
  it.each([
    ['line ends of every kind, the last one missing', 'a;b\nc\r\nd\re', ['a|b', 'c', 'd', 'e']],
    ['quoted line ends and delimiters', 'a;"b\r\n;c";"\rd"\r\n"e"\r"f"', ['a|b\r\n;c|\rd', 'e', 'f']],
    ['doubled quotes, and one at the very end', '"a""";b\n"c"""', ['a"|b', 'c"']],
    ['quotes inside of a plain cell', 'a"b;c\nd', ['a"b|c', 'd']],
    ['blanks behind a quote', '"a"  ;b\n"c" \nd', ['a|b', 'c', 'd']],
    ['blank records', '\n;;\n " "; \n"";\na\n', ['a']],
    ['a quote in the wrong place', '"a"b;c\nd\n', ['quotes:"a"b;c', 'd']],
    ['a quote that never closes', 'a\n"b;c\nd;e\nf', ['a', 'quotes:"b;c', 'd|e', 'f']],
    ['two of them', '"a\nb\n"c\n', ['quotes:"a', 'b', 'quotes:"c']],
  ])('takes %s, wherever the chunks end', (_, text, expected) => {
    for (const chunk of [1, 2, 3, 5, 1000]) expect(read(text, chunk), `chunks of ${chunk}`).toEqual(expected)
  })

  it('recovers from a quote that does not close where the windows end', () => {
    const lines = Array.from({ length: 200 }, (_, index) =>
      index % 7 === 3 ? `"${index};x` : `${index};"x\ny"`,
    )
    const expected = lines.map((line, index) => (index % 7 === 3 ? `quotes:${line}` : `${index}|x\ny`))
    for (const chunk of [1, 100, 10_000]) expect(read(lines.join('\n'), chunk)).toEqual(expected)
  })

  it('holds no more than its limit: a longer record is broken, and the next one is read', () => {
    for (const chunk of [1, 7, 1000]) {
      const [first, ...rest] = read(`${'x'.repeat(50)}\na\n"b\n${'y;"" '.repeat(9)}\nc`, chunk, 20)
      expect(first).toMatch(/^length:x{20,50}$/)
      expect(rest.slice(0, 2), `chunks of ${chunk}`).toEqual(['a', 'quotes:"b'])
      expect(rest.at(-1)).toBe('c')
    }
  })

  it.each(CSV_PIECES)('much of %j is parsed a bounded number of times', (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    const parse = Papa.parse as (lines: string, config: object) => unknown
    let parsed = 0
    const spy = vi.spyOn(Papa, 'parse').mockImplementation(((lines: string, config: object) => {
      parsed += lines.length
      // At once: the rest may take hours.
      expect(parsed).toBeLessThanOrEqual(6 * text.length)
      return parse(lines, config)
    }) as never)
    try {
      read(text, 65_536, 65_536)
    } finally {
      spy.mockRestore()
    }
  })

  it('reads cells in UTF-8 and in Windows-1252, in one file', () => {
    expect(read(Buffer.from([0xd1, 0x3b, 0x80, 0x0a, 0xc3, 0x91]), 1)).toEqual(['Ñ|€', 'Ñ'])
  })
})

it('the delimiter is the header’s, outside of quotes; semicolon when in doubt', () => {
  expect(['email', 'a;b,c', 'a,b,"c;d;e"', 'a\tb', 'a,b;c;d'].map(delimiterOf)).toEqual([
    ';',
    ';',
    ',',
    '\t',
    ';',
  ])
})

it('cells that a spreadsheet would run are escaped, and back again; phone numbers stay', () => {
  const cells = ['=1', '+1+1', '-1', '@x', '\tx', '\rx', '+34612345678', '+34612345678+1', 'a=1', "'x", '']
  const escaped = [
    "'=1",
    "'+1+1",
    "'-1",
    "'@x",
    "'\tx",
    "'\rx",
    '+34612345678',
    "'+34612345678+1",
    'a=1',
    "'x",
    '',
  ]
  expect(cells.map(escapeCell)).toEqual(escaped)
  expect(escaped.map(unescapeCell)).toEqual(cells)
  expect(csvLine(['a;b', 'c"d', ' e', 'f\ng', 'h'])).toBe('"a;b";"c""d";" e";"f\ng";"h"\r\n')
})

it('a formula in other widths, or behind blanks and invisible characters, is escaped, and back again', () => {
  const starts = [
    '＝',
    '＋',
    '－',
    '＠',
    '﹦',
    '﹢',
    '﹣',
    '﹫',
    '−',
    '⁺',
    '₌',
    '\n',
    ' =',
    '\u00a0@',
    '\u200b=',
    '\ufeff+',
  ]
  const cells = starts.map((start) => `${start}1+1`)
  expect(cells.map(escapeCell)).toEqual(cells.map((cell) => `'${cell}`))
  expect(cells.map(escapeCell).map(unescapeCell)).toEqual(cells)
  expect(['a＝1', '1−1', 'Peña – José', '«Hola»', 'é'].map(escapeCell)).toEqual([
    ...['a＝1', '1−1', 'Peña – José', '«Hola»', 'é'],
  ])
})

it('every cell is quoted that could be read otherwise with another separator', () => {
  const plain = ['', '0', '12', '1234.50', '2026-11-20', '20/11/2026', '21:00', '21:00:30', '+34612345678']
  const others = [
    'a,=1+1',
    'a;=1',
    'a\t@x',
    'Ana',
    '-1',
    '1-2',
    '1 2',
    '12:3',
    '+34612345678+1',
    '2026-11-20T21:00:00Z',
  ]
  for (const separator of [';', ',', '\t']) {
    expect(csvLine(plain, separator)).toBe(`${plain.join(separator)}\r\n`)
    for (const cell of others) {
      const line = csvLine([cell], separator)
      expect(line).toBe(`"${escapeCell(cell)}"\r\n`)
      for (const delimiter of [';', ',', '\t'])
        expect(Papa.parse<string[]>(line, { delimiter, newline: '\r\n' }).data[0]).toEqual([escapeCell(cell)])
    }
  }
  // The decimal mark of Spanish files is the separator of English ones.
  expect([csvLine(['12,50'], ';'), csvLine(['12,50'], ',')]).toEqual(['12,50\r\n', '"12,50"\r\n'])
})

it('a birth date is a day of the calendar that is past', () => {
  const read = (text: string) => parseBirthDate(text, '2026-11-20')
  expect(['29/02/2000', '1.2.1990', '1990-2-1', '20/11/2026', '01/01/1900'].map(read)).toEqual([
    '2000-02-29',
    '1990-02-01',
    '1990-02-01',
    '2026-11-20',
    '1900-01-01',
  ])
  const wrong = [
    '29/02/2001',
    '21/11/2026',
    '31/12/1899',
    '0000-00-00',
    '1/1/90',
    '1990/01/01',
    '12-31-1990',
    '',
    'x',
  ]
  expect(wrong.map(read)).toEqual(wrong.map(() => null))
})

it('rows that may be one person are in one chunk, in order', () => {
  const rows = [
    { line: 1, email: 'a', phone: '1' },
    { line: 2, email: 'b' },
    { line: 3, email: 'c' },
    { line: 4, phone: '1' },
    { line: 5, email: 'a' },
    { line: 6, phone: '3' },
  ]
  const lines = (links: string[][]) => groupRows(rows, links, 2).map((chunk) => chunk.map(({ line }) => line))
  expect(lines([])).toEqual([[1, 4, 5], [2, 3], [6]])
  expect(lines([['b', '3']])).toEqual([[1, 4, 5], [2, 6], [3]])
  expect(groupRows([], [], 2)).toEqual([])
})
