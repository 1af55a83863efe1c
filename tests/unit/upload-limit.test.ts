import { expect, it, vi } from 'vitest'
import { generateKeys } from '../../supabase/local/keys'
import { pointAppAt } from '../support/app'

const MB = 1024 * 1024

/** The largest file, in MB, with these settings; and the status for a form of so many bytes. */
async function limitWith(settings: Record<string, string>, bytes: number) {
  vi.resetModules()
  pointAppAt('http://127.0.0.1:9', await generateKeys(), { VERCEL: '', UPLOAD_MB: '', ...settings })
  const { env } = await import('@/lib/env')
  const { readUpload } = await import('@/lib/imports/read-upload')
  const headers = { 'content-type': 'multipart/form-data; boundary=mesa', 'content-length': String(bytes) }
  const form = new Request('http://localhost/api/imports', { method: 'POST', headers, body: 'x' })
  const refused = await readUpload(form, new Date()).catch(({ status }) => status)
  return { mb: env().UPLOAD_MB, refused }
}

it.each([
  ['a server of one’s own', {}, 50, 66],
  ['Vercel, whose bodies end at 4.5 MB', { VERCEL: '1' }, 4, 6],
  ['a proxy that takes less', { UPLOAD_MB: '1' }, 1, 2],
  ['a setting on Vercel', { VERCEL: '1', UPLOAD_MB: '3' }, 3, 5],
])('an upload on %s has its limit', async (_, settings, mb, tooMany) => {
  expect(await limitWith(settings, tooMany * MB)).toEqual({ mb, refused: 413 })
  // Within the limit it is read: this one is no form.
  expect(await limitWith(settings, mb * MB)).toEqual({ mb, refused: 400 })
})
