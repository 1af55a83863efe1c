import { describe, expect, it } from 'vitest'
import { csvDownload } from '@/lib/csv/download'

/** A download of pages of two rows; reading page `broken` fails. */
function download(pages: number, broken?: number) {
  const seen = { read: [] as number[], ended: [] as number[] }
  const answer = csvDownload<string, number>({
    fileName: 'x.csv',
    separator: ';',
    header: ['a'],
    page: async (cursor = 0) => {
      seen.read.push(cursor)
      if (cursor === broken) throw new Error('gone')
      return { data: [`${cursor}a`, `${cursor}b`], next_cursor: cursor + 1 < pages ? cursor + 1 : null }
    },
    row: (cell) => [cell],
    ended: async (rows) => seen.ended.push(rows),
  })
  return { answer, seen }
}

describe('a download in pages', () => {
  it('has every page once, in order, and counts its rows at the end', async () => {
    const { answer, seen } = download(3)
    const cells = ['a', '0a', '0b', '1a', '1b', '2a', '2b']
    expect((await (await answer).text()).trimEnd().split('\r\n')).toEqual(cells.map((cell) => `"${cell}"`))
    expect(seen).toEqual({ read: [0, 1, 2], ended: [6] })
  })

  it('that is cut short fails for the reader, without a length that would hide it, and is not counted', async () => {
    const { answer, seen } = download(5, 3)
    const response = await answer
    expect(response.headers.get('content-length')).toBeNull()
    await expect(response.text()).rejects.toThrow('gone')
    expect(seen.ended).toEqual([])
  })

  it('reads at most a page ahead of the client', async () => {
    const { answer, seen } = download(50)
    const reader = (await answer).body?.getReader()
    await reader?.read()
    for (let tick = 0; tick < 50; tick++) await Promise.resolve()
    expect(seen.read.length).toBeLessThanOrEqual(3)
    await reader?.cancel()
    expect(seen.ended).toHaveLength(1)
  })

  it('fails before it begins when the first page does', async () => {
    await expect(download(2, 0).answer).rejects.toThrow('gone')
  })
})
