import { describe, expect, it } from 'vitest'
import { parseColumns } from '@/components/customers/columns'
import { parseViews } from '@/components/customers/use-saved-views'
import { customerFilters, customersExport, customersPage } from '@/lib/customers/filters'
import { isFiltered } from '@/lib/http/page-address'

describe('saved views', () => {
  it('are the stored ones that lead to the list; anything else is left out', () => {
    const good = { name: 'VIP de Sol', href: '/customers?segment=vip&location_id=1' }
    const rows = [
      good,
      { name: 'Fuera', href: 'https://mal.example/customers?x' },
      { name: 'Otra', href: '//mal.example' },
      { name: 'Guion', href: 'javascript:alert(1)' },
      { name: 7, href: good.href },
      null,
      'x',
    ]
    expect(parseViews(JSON.stringify(rows))).toEqual([good])
    for (const text of ['', '{', '{}', 'null', '5']) expect(parseViews(text)).toEqual([])
  })
})

describe('the columns of a cookie', () => {
  it('come in their usual order, without unknown ones', () => {
    expect(parseColumns('tags.tier.nonsense.__proto__')).toEqual(['tier', 'tags'])
    expect(parseColumns('')).toEqual([])
    expect(parseColumns(undefined)).toContain('contact')
  })
})

describe('the address of the list', () => {
  const query = {
    search: ' ana ',
    tag: ['prensa', 'vecina'],
    segment: 'vip',
    inactive_days: '90',
    sort: 'spend',
    cursor: 'abc',
  }
  const filters = { search: 'ana', tag: 'prensa', segment: 'vip', inactive_days: 90, sort: 'spend' } as const

  it('is read as the API reads it, and written as it was', () => {
    const list = customersPage.read(query)
    expect(list).toEqual({ ...filters, cursor: 'abc' })
    expect(customersPage.href({ ...list, cursor: undefined })).toBe(
      '/customers?search=ana&tag=prensa&segment=vip&inactive_days=90&sort=spend',
    )
    expect(customersPage.href(customersPage.read({}))).toBe('/customers')
  })

  it('treats a bad value as absent', () => {
    const bad = { search: 'x'.repeat(201), segment: 'all', inactive_days: '-3', sort: 'none', tier: ' ' }
    const list = customersPage.read({
      ...bad,
      location_id: 'all',
      consent: 'email:maybe',
      rhythm: 'gone',
      tag: '\0',
    })
    expect(list).toEqual({ sort: 'recent' })
    expect(isFiltered(customerFilters, list)).toBe(false)
    for (const filter of [{ consent: 'sms:none' }, { rhythm: 'lost' }])
      expect(isFiltered(customerFilters, customersPage.read(filter))).toBe(true)
  })

  it('has the same filters as the address of the export', () => {
    expect(customersExport.href({ ...customersPage.read(query), language: 'en' })).toBe(
      '/api/customers/export?search=ana&tag=prensa&segment=vip&inactive_days=90&sort=spend&language=en',
    )
  })
})
