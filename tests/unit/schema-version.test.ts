import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SCHEMA_VERSION } from '@/lib/health/schema-version'

// The app runs without the files of its migrations, so the number of the last one stands in the code and in that file.
it('the last migration gives the schema its number, and the build asks for that one', () => {
  const last = readdirSync('supabase/migrations').sort().at(-1) ?? ''
  const [number] = last.split('_')
  expect(SCHEMA_VERSION).toBe(number)
  expect(readFileSync(`supabase/migrations/${last}`, 'utf8')).toContain(`'version', '${number}'`)
})
