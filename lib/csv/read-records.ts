import Papa from 'papaparse'
import { decodeText } from './decode'

const FIRST_WINDOW = 16
// Replaces a lone CR, so that Papa sees one kind of line end. Papa treats U+2028 as blank, and no byte decodes to it.
const CR_ALONE = '\u2028\n'
const LINE_END_REST = /[\r\u2028]$/
const PRINTABLE_ASCII = /^[ -~]*$/

/** A record. `broken` is the reason why it cannot be read; its only cell is then its first line. */
export interface CsvRecord {
  /** Decodes the cells; a record that is only counted need not be decoded. */
  cells: () => string[]
  broken?: 'quotes' | 'length'
}

/** Takes the bytes of a CSV file as they come. After `end`, every record has been emitted. */
export interface RecordReader {
  push: (chunk: Uint8Array) => void
  end: () => void
}

/**
 * Reads CSV with Papa Parse and recovers from broken quotes, after which Papa would read the rest of the file as one
 * cell: the record's first line is emitted as broken, and reading goes on with the next line. It buffers at most
 * `limit` bytes and a chunk; a longer record is broken too. Blank records are left out.
 */
export function recordReader(
  delimiter: string,
  limit: number,
  emit: (record: CsvRecord) => void,
): RecordReader {
  // One character per byte: each cell is decoded separately, because a file may mix encodings.
  let held = ''
  let carriageReturn = ''
  // Papa reads windows of whole lines. A window doubles while its lines parse and starts small after a broken record,
  // so any file takes linear time.
  let size = FIRST_WINDOW
  let skipping = false
  const blank = new RegExp(`^[ \\t"${delimiter}]*$`)

  /** Emits the records of some lines. Returns the length read: 0 when the record needs a larger window. */
  function readLines(lines: string, isLast: boolean): number {
    let read = 0
    let problem: string | undefined
    Papa.parse<string[]>(lines, {
      delimiter,
      newline: '\n',
      step: ({ data, errors: [error], meta }, parser) => {
        problem = error?.code
        if (problem) return parser.abort()
        data.push((data.pop() ?? '').replace(LINE_END_REST, ''))
        if (!data.every((cell) => blank.test(cell))) emit({ cells: () => data.map(decodeCell) })
        read = meta.cursor
      },
    })
    if (!problem) return lines.length
    const unfinished = problem === 'MissingQuotes' && !isLast && (read > 0 || size < limit)
    return unfinished ? read : read + giveUp(lines.slice(read), 'quotes')
  }

  /** Emits the first line as broken. Returns its length. */
  function giveUp(lines: string, broken: 'quotes' | 'length'): number {
    const [line = ''] = lines.split('\n', 1)
    emit({ cells: () => [decodeCell(line.replace(LINE_END_REST, ''))], broken })
    size = FIRST_WINDOW / 2
    return line.length + 1
  }

  /** Drops the rest of a line that was too long. */
  function skipLine(): void {
    const lineEnd = held.indexOf('\n')
    held = lineEnd < 0 ? '' : held.slice(lineEnd + 1)
    skipping = lineEnd < 0
  }

  function readWindow(isLast: boolean): void {
    const lineEnd = held.lastIndexOf('\n', size)
    if (lineEnd >= 0) held = held.slice(readLines(held.slice(0, lineEnd + 1), isLast))
    else if (size === limit) {
      giveUp(held.slice(0, limit + 1), 'length')
      skipping = true
    }
    size = Math.min(size * 2, limit)
  }

  function drain(isEnd: boolean): void {
    while (held.length > (skipping || isEnd ? 0 : size)) {
      if (skipping) skipLine()
      else readWindow(isEnd && held.length <= size)
    }
  }

  return {
    push: (chunk) => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      const text = carriageReturn + bytes.toString('latin1')
      // Its line feed may come with the next chunk.
      carriageReturn = text.endsWith('\r') ? '\r' : ''
      held += text.slice(0, text.length - carriageReturn.length).replace(/\r(?!\n)/g, CR_ALONE)
      drain(false)
    },
    end: () => {
      held += `${carriageReturn}\n`
      drain(true)
    },
  }
}

function decodeCell(cell: string): string {
  return PRINTABLE_ASCII.test(cell)
    ? cell
    : decodeText(Buffer.from(cell.replaceAll(CR_ALONE, '\r'), 'latin1'))
}
