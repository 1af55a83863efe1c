import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { IMPORT_FILES, importGlobs } from '@/lib/imports/files'
import { readErrorLine, sentence } from '@/lib/imports/reasons'
import { addressOf, decryptSecret, encryptSecret } from '@/lib/integrations/secrets'
import type { IntegrationType } from '@/lib/integrations/types'
import { can, PERMISSIONS, ROLES } from '@/lib/permissions'
import { checkedBaseUrl } from '@/lib/pms/client'
import { syncWindow } from '@/lib/pms/sync'
import { formatIssue, isFailure } from '@/lib/pms/sync-issues'

describe('secrets', () => {
  const key = [Buffer.alloc(32, 7).toString('base64')] as const
  const other = [Buffer.alloc(32, 8).toString('base64')] as const
  const place = { organizationId: 'o1', field: 'pms.api_key', address: 'https://pms.example' }

  it('come back, and are never the same ciphertext twice', () => {
    const sealed = encryptSecret('clave ñ', place, key)
    expect(sealed).not.toContain('clave')
    expect(encryptSecret('clave ñ', place, key)).not.toBe(sealed)
    expect(decryptSecret(sealed, place, key)).toBe('clave ñ')
  })

  it('do not open in another place, with another key, or changed', () => {
    const sealed = encryptSecret('x', place, key)
    expect(() => decryptSecret(sealed, { ...place, organizationId: 'o2' }, key)).toThrow()
    expect(() => decryptSecret(sealed, { ...place, field: 'ai.api_key' }, key)).toThrow()
    expect(() => decryptSecret(sealed, { ...place, address: 'https://evil.example' }, key)).toThrow()
    expect(() => decryptSecret(sealed, place, other)).toThrow('another SECRETS_KEY')
    expect(decryptSecret(sealed, place, [...other, ...key])).toBe('x')
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
    expect(() => decryptSecret(changed, place, key)).toThrow()
  })

  it.each([
    ['pms', { base_url: 'https://pms.example:8443/api' }, 'https://pms.example:8443'],
    ['ai', {}, ''],
    ['twilio', { account_sid: ' AC1 ', base_url: 'https://x.example' }, 'AC1'],
    ['resend', { base_url: 'https://x.example' }, ''],
    // After a rollback the database may hold a type that this version does not know.
    ['of a later version', { base_url: 'https://later.example/v1' }, 'https://later.example'],
  ])('are bound to the address of their account: %s', (type, config, address) => {
    expect(addressOf(type as IntegrationType, config)).toBe(address)
  })
})

describe('the files that a build takes along for the import', () => {
  it.each([
    ['import', ['./import/*.csv']],
    ['./data/guests/', ['./data/guests/*.csv']],
    ['/srv/import', []],
    ['../import', []],
    ['', IMPORT_FILES.map(({ file }) => `./${file}`)],
  ])('from %j are %j', (directory, globs) => {
    expect(importGlobs(directory)).toEqual(globs)
  })

  it('are in folders that git does not keep', () => {
    const ignored = readFileSync('.gitignore', 'utf8').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['/import', '/*.[cC][sS][vV]', '/*.[xX][lL][sS][xX]']))
  })
})

describe('the PMS address', () => {
  it.each([
    ['https://pms.example/', true, 'https://pms.example'],
    ['https://pms.example/v1/?x=1', false, 'https://pms.example/v1'],
    ['http://127.0.0.1:4010', true, 'http://127.0.0.1:4010'],
  ])('%s is taken', (url, loopback, expected) => {
    expect(checkedBaseUrl(url, loopback)).toBe(expected)
  })

  it.each([
    ['http://pms.example', true],
    ['http://127.0.0.1:4010', false],
    ['http://127.0.0.1.evil.example', true],
    ['file:///etc/passwd', true],
    ['nonsense', true],
  ])('%s is refused', (url, loopback) => {
    expect(() => checkedBaseUrl(url, loopback)).toThrow('must start with https://')
  })
})

describe('the sync window', () => {
  it('counts days from today in the location’s time zone', () => {
    const now = new Date('2026-03-01T23:30:00Z')
    expect(syncWindow(now, 'Europe/Madrid', 7, 1)).toEqual({ from: '2026-02-23', to: '2026-03-03' })
    expect(syncWindow(now, 'Atlantic/Canary', 7, 1)).toEqual({ from: '2026-02-22', to: '2026-03-02' })
  })
})

describe('small things', () => {
  it('an issue reads as the contract says', () => {
    const place = { location_id: '1', location: 'Norte' }
    const issue = { ...place, code: 'bad_time', reservation: '7', detail: '25:99' } as const
    expect(formatIssue(issue)).toBe('Norte: reservation 7: not a time "25:99"')
    expect(formatIssue({ ...place, code: 'timeout', reservation: null, detail: 'no answer' })).toBe(
      'Norte: no answer',
    )
    expect(formatIssue({ ...place, code: 'not_applied', reservation: null, detail: '41' })).toBe(
      'Norte: no longer in the PMS: 41, not applied',
    )
    expect(isFailure({ ...place, code: 'not_applied', reservation: null, detail: '41' })).toBe(false)
    expect(formatIssue({ ...place, code: 'more', reservation: null, detail: '12' })).toBe(
      'Norte: 12 more problems',
    )
  })

  it('permissions follow the role', () => {
    expect(ROLES.filter((role) => can(role, 'canAccessOperaciones'))).toEqual(
      PERMISSIONS.canAccessOperaciones,
    )
    expect(can('rrhh', 'canAccessClientes')).toBe(false)
    const ofSala = Object.keys(PERMISSIONS).filter((one) => can('sala', one as keyof typeof PERMISSIONS))
    expect(ofSala).toEqual(['canAccessOperaciones', 'canUseGuestCards'])
  })
})

describe('the reasons of an import', () => {
  it.each([
    ['it has more cells than the header; it has neither an email nor a phone', ['tooManyCells', 'noContact']],
    [sentence('email'), ['email']],
    [
      `${sentence('tooLong', { field: 'job title', limit: 2000 })}; ${sentence('birthDate')}; ${sentence('withoutThem')}`,
      ['birthDate', 'tooLong', 'withoutThem'],
    ],
    [sentence('tags', { limit: 50, length: 60 }), ['tags']],
    [sentence('refused', { problem: '22P02 (a (b)' }), ['refused']],
    ['something else', ['other']],
  ])('are recognised in “%s”', (text, keys) => {
    const { row, reasons } = readErrorLine(`Row 7: ${text}`)
    expect(row).toBe(7)
    expect(reasons.map(({ key }) => key)).toEqual(keys)
  })

  it('keep their number', () => {
    const line = `Row 5001: ${sentence('beyondLimit', { count: 12_345 })}`
    expect(line).toBe('Row 5001: only the first 5,000 rows are processed; 12,345 more were not')
    expect(readErrorLine(line).reasons).toEqual([{ key: 'beyondLimit', count: 12_345 }])
  })
})
