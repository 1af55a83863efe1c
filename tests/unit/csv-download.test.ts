import { execFileSync } from 'node:child_process'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { csvDownload } from '@/lib/csv/download'
import { textCell, xlsxDownload } from '@/lib/csv/sheet'

type Format = 'csv' | 'xlsx'

/** A download of pages of two rows; reading page `broken` fails. */
function download(format: Format, pages: number, broken?: number) {
  const seen = { read: [] as number[], ended: [] as number[] }
  const file = {
    fileName: 'x.csv',
    page: async (cursor = 0) => {
      seen.read.push(cursor)
      if (cursor === broken) throw new Error('gone')
      return { data: [`${cursor}a`, `${cursor}b`], next_cursor: cursor + 1 < pages ? cursor + 1 : null }
    },
    ended: async (rows: number) => seen.ended.push(rows),
  }
  const answer =
    format === 'csv'
      ? csvDownload<string, number>({ ...file, separator: ';', header: ['a'], row: (cell) => [cell] })
      : xlsxDownload<string, number>({
          ...file,
          columns: [{ title: 'a', width: 9 }],
          row: (cell) => [textCell(cell)],
        })
  return { answer, seen }
}

async function cellsOf(format: Format, response: Response): Promise<string[]> {
  if (format === 'csv') return (await response.text()).trimEnd().replaceAll('"', '').split('\r\n')
  const sheet = unzipSync(new Uint8Array(await response.arrayBuffer()))['xl/worksheets/sheet1.xml']
  return [...strFromU8(sheet ?? new Uint8Array()).matchAll(/<t>(\w+)<\/t>/g)].map(([, text]) => text ?? '')
}

describe.each(['csv', 'xlsx'] as const)('a download in pages as %s', (format) => {
  it('has every page once, in order, and counts its rows at the end', async () => {
    const { answer, seen } = download(format, 3)
    expect(await cellsOf(format, await answer)).toEqual(['a', '0a', '0b', '1a', '1b', '2a', '2b'])
    expect(seen).toEqual({ read: [0, 1, 2], ended: [6] })
  })

  it('that is cut short fails for the reader, without a length that would hide it, and is not counted', async () => {
    const { answer, seen } = download(format, 5, 3)
    const response = await answer
    expect(response.headers.get('content-length')).toBeNull()
    await expect(response.arrayBuffer()).rejects.toThrow('gone')
    expect(seen.ended).toEqual([])
  })

  it('fails before it begins when the first page does', async () => {
    await expect(download(format, 2, 0).answer).rejects.toThrow('gone')
  })

  it('of 16 MB holds less than its rows', () => {
    const node = ['--expose-gc', '--import', 'tsx', '--import', './tests/support/outside-next.ts']
    const run = [...node, 'tests/support/large-download.ts', format, '8000']
    const { bytes, grownMb } = JSON.parse(execFileSync(process.execPath, run, { encoding: 'utf8' }))
    expect(bytes).toBeGreaterThan(500_000)
    expect(grownMb).toBeLessThan(12)
  })
})

it('reads at most a page ahead of the client, and ends with it', async () => {
  const { answer, seen } = download('csv', 50)
  const reader = (await answer).body?.getReader()
  await reader?.read()
  for (let tick = 0; tick < 50; tick++) await Promise.resolve()
  expect(seen.read.length).toBeLessThanOrEqual(3)
  await reader?.cancel()
  expect(seen.ended).toHaveLength(1)
})
