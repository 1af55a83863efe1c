import { describe, expect, it } from 'vitest'
import { parseColumns } from '@/components/customers/columns'
import { exportHref, parseCustomersQuery } from '@/components/customers/customers-query'
import { parseViews } from '@/components/customers/saved-views-store'

describe('saved views', () => {
  it('are those of the storage that lead to the list; anything else is left out', () => {
    const good = { name: 'VIP de Sol', href: '/customers?segment=vip&location=1' }
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
  it('come in their usual order, without what is none', () => {
    expect(parseColumns('tags.tier.nonsense.__proto__')).toEqual(['tier', 'tags'])
    expect(parseColumns('')).toEqual([])
    expect(parseColumns(undefined)).toContain('contact')
  })
})

describe('the address of the export', () => {
  it('has the filters of the list under the names of the API', () => {
    const list = parseCustomersQuery(
      { q: 'ana', tag: ' prensa ', segment: 'vip', inactive: '90', sort: 'spend', cursor: 'abc', tier: 'x' },
      undefined,
      [],
    )
    expect(exportHref(list, 'en')).toBe(
      '/api/customers/export?search=ana&tag=prensa&segment=vip&inactive_days=90&sort=spend&language=en',
    )
  })
})
