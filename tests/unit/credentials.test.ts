import { expect, it } from 'vitest'
import { credentialsSchema, newPassword } from '@/lib/auth/schema'

it.each([credentialsSchema.shape.password, newPassword])(
  'a password of very many accents is refused before its form is made',
  (schema) => {
    const issues = schema.safeParse(`a${'\u0301'.repeat(250_000)}${'\u0323'.repeat(250_000)}`).error?.issues
    expect(issues).toMatchObject([{ code: 'too_big', maximum: 1000 }])
  },
)

it('a password is the same from every keyboard', () => {
  const typed = ['Sen\u0303or de los 7 mares', 'Se\u00f1or de los 7 mares']
  expect(new Set(typed.map((password) => newPassword.parse(password))).size).toBe(1)
})
