import { globSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isGuessable } from '@/lib/auth/password-strength'
import { newPassword } from '@/lib/auth/schema'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { PASSWORD } from '../factories/account'

const FILES = [
  '*.md',
  'docs/**/*.md',
  '{app,components,lib,public,scripts,supabase,tests}/**/*.{ts,tsx,js,mjs,json,md,sql,sh,toml,yaml,yml}',
  '.github/**/*.{yml,yaml}',
]
// Words of the interface about passwords, not passwords.
const TEXTS = /^lib\/i18n\//

/** `password: '…'`, `NEW_PASSWORD = "…"`, `"password": "…"`, and in prose: password `…`. */
const WRITTEN = [
  /(?:password|contraseña|passphrase)(?!s)\w*['"]?\s*(?::|=)\s*(['"`])((?:(?!\1)[^\n$\\])+)\1/giu,
  /(?:password|contraseña)\s+(`)([^`\n]+)`/giu,
]

/** What looks like a password in the repository, where one could choose it. */
function written(): { file: string; password: string }[] {
  const found = FILES.flatMap((pattern) => globSync(pattern)).filter(
    (file) => !TEXTS.test(file) && statSync(file).isFile(),
  )
  return found.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return (
      WRITTEN.flatMap((form) => [...text.matchAll(form)])
        .map(([, , password = '']) => ({ file, password }))
        // An address of the API is none.
        .filter(({ password }) => !password.startsWith('/') && newPassword.safeParse(password).success)
    )
  })
}

it('nobody can choose a password that stands in the repository', async () => {
  const all = written()
  const passwords = new Set(all.map(({ password }) => password))
  expect([...passwords]).toEqual(expect.arrayContaining([DEMO_PASSWORD, PASSWORD]))
  const open = []
  for (const each of all) if (!(await isGuessable(each.password, []))) open.push(each)
  expect(open).toEqual([])
})
