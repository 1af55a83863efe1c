import { describe, expect, it } from 'vitest'
import { changeBody } from '@/components/forms/changes'
import {
  DRAFT_DAYS,
  draftKey,
  forgetDrafts,
  isLeftOpen,
  markClosed,
  markOpen,
  readDraft,
  type StoredDraft,
  sweepDrafts,
  toRestore,
  writeDraft,
} from '@/components/forms/draft-store'
import { withoutSecrets } from '@/components/integrations/fields'

/** A browser's storage. */
function storage() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}

const NOW = Date.parse('2026-11-23T10:00:00Z')
const DAY = 86_400_000
const draft = (text = 'Sin gluten', at = NOW): StoredDraft => ({
  at,
  loaded: { notes: null },
  base: { fields: { notes: [''] } },
  value: { fields: { notes: [text] } },
})

describe('what is typed and not saved', () => {
  it('is kept by person and record', () => {
    const store = storage()
    writeDraft(store, draftKey('ana', 'customer:1'), draft())
    expect(readDraft(store, draftKey('ana', 'customer:1'), NOW)).toEqual(draft())
    expect(readDraft(store, draftKey('ana', 'customer:2'), NOW)).toBeNull()
    expect(readDraft(store, draftKey('luis', 'customer:1'), NOW)).toBeNull()
  })

  it('goes after some days, when it is asked for or not', () => {
    const store = storage()
    const key = draftKey('ana', 'customer:1')
    writeDraft(store, key, draft('x', NOW - DRAFT_DAYS * DAY + 1000))
    expect(readDraft(store, key, NOW)).not.toBeNull()
    expect(readDraft(store, key, NOW + 2000)).toBeNull()
    expect(store.length).toBe(0)
    writeDraft(store, draftKey('ana', 'old'), draft('x', NOW - DRAFT_DAYS * DAY - 1000))
    writeDraft(store, draftKey('luis', 'new'), draft())
    sweepDrafts(store, NOW)
    expect(store.length).toBe(1)
    expect(readDraft(store, draftKey('luis', 'new'), NOW)).not.toBeNull()
  })

  it('goes with the person who signs out, and nothing else goes', () => {
    const store = storage()
    store.setItem('mantine-color-scheme-value', 'dark')
    for (const name of ['customer:1', 'ticket:new', 'event:2'])
      writeDraft(store, draftKey('ana', name), draft())
    forgetDrafts(store)
    expect(store.length).toBe(1)
    expect(store.getItem('mantine-color-scheme-value')).toBe('dark')
  })

  it.each(['', 'null', '[]', '{', '{"at":"x"}', '{"at":1}', '{"at":9e15,"base":{},"value":{}}'])(
    'is nothing when the storage holds %j',
    (text) => {
      const store = storage()
      const key = draftKey('ana', 'customer:1')
      store.setItem(key, text)
      expect(readDraft(store, key, NOW)).toBeNull()
      store.setItem(key, JSON.stringify({ ...draft(), value: { fields: { notes: [{ deep: 1 }] } } }))
      expect(readDraft(store, key, NOW)).toBeNull()
    },
  )

  it('is not kept when it is too large for the storage of a browser', () => {
    const store = storage()
    writeDraft(store, draftKey('ana', 'customer:1'), draft('x'.repeat(300_000)))
    expect(store.length).toBe(0)
  })

  it('opens its form again in the tab that was left, unless that was closed', () => {
    const store = storage()
    const key = draftKey('ana', 'customer:1')
    markOpen(store, key)
    expect([isLeftOpen(store, key), isLeftOpen(store, draftKey('luis', 'customer:1'))]).toEqual([true, false])
    markClosed(store, draftKey('ana', 'customer:2'))
    expect(isLeftOpen(store, key)).toBe(true)
    markClosed(store, key)
    expect(isLeftOpen(store, key)).toBe(false)
  })

  it('is put over what the record is now, field by field', () => {
    const base = { name: 'Cumpleaños', body: 'Hola', tags: '' }
    const value = { name: 'Cumpleaños', body: 'Felicidades', tags: '' }
    const now = { name: 'Aniversario', body: 'Hola', tags: 'vip' }
    const restored = (states: { now: unknown; base: unknown; value: unknown }) =>
      toRestore(
        { at: NOW, base: { fields: {}, state: states.base }, value: { fields: {}, state: states.value } },
        { fields: {}, state: states.now },
      ).state
    expect(restored({ now, base, value })).toEqual({ name: 'Aniversario', body: 'Felicidades', tags: 'vip' })
    expect(restored({ now: ['c'], base: ['a'], value: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(restored({ now: ['c'], base: ['a'], value: ['a'] })).toEqual(['c'])
    expect(restored({ now: { id: '1' }, base: { id: '1' }, value: null })).toBeNull()
    const typed = {
      at: NOW,
      base: { fields: { notes: [''], day: ['1'] } },
      value: { fields: { notes: ['x'], day: ['1'] } },
    }
    expect(toRestore(typed, { fields: { notes: ['y'], day: ['2'] } })).toEqual({ fields: { notes: ['x'] } })
    // Of a new record all of it: the day that a page proposes may be another one by now.
    expect(toRestore(typed, null)).toEqual(typed.value)
  })

  it('never holds a secret', () => {
    const values = { account_sid: 'AC1', auth_token: 'muy secreto', sms_from: '+34', whatsapp_from: '' }
    const kept = withoutSecrets('twilio', { enabled: true, values })
    expect(kept).toEqual({
      enabled: true,
      values: { account_sid: 'AC1', sms_from: '+34', whatsapp_from: '' },
    })
  })
})

describe('the body of a change', () => {
  const loaded = { notes: 'Terraza', tags: ['prensa'], company: null, id: '1' }

  it('has what differs, and what that was', () => {
    expect(changeBody({ notes: 'Terraza', tags: ['prensa', 'vip'], company: null }, { loaded })).toEqual({
      tags: ['prensa', 'vip'],
      loaded: { tags: ['prensa'] },
    })
    // What the record does not have is as new as the form says.
    expect(changeBody({ customer_phone: '600' }, { loaded })).toEqual({ customer_phone: '600', loaded: {} })
  })

  it('compares with the form as it was loaded where that says it otherwise', () => {
    const record = { criteria: { days_before: 7, tier: null } }
    const asLoaded = { criteria: { days_before: 7 } }
    expect(changeBody({ criteria: { days_before: 7 } }, { loaded: record, asLoaded })).toEqual({ loaded: {} })
    expect(changeBody({ criteria: { days_before: 3 } }, { loaded: record, asLoaded })).toEqual({
      criteria: { days_before: 3 },
      loaded: record,
    })
  })

  it('leaves out what is by now as the form says: others made it so', () => {
    const asNow = { ...loaded, company: 'Acme' }
    expect(changeBody({ notes: 'x', company: 'Acme' }, { loaded, asNow })).toEqual({
      notes: 'x',
      loaded: { notes: 'Terraza' },
    })
  })

  it('follows what was chosen of a field that both changed', () => {
    const edited = { loaded, current: { notes: 'Ventana', company: 'Acme' } }
    const values = { notes: 'Sin gluten', company: 'Lumbre', tags: ['prensa'] }
    expect(changeBody(values, { ...edited, choices: { notes: 'mine', company: 'theirs' } })).toEqual({
      notes: 'Sin gluten',
      loaded: { notes: 'Ventana' },
    })
    // Undecided: refused again.
    expect(changeBody(values, edited).loaded).toEqual({ notes: 'Terraza', company: null })
    // Keeping what was loaded is a change of what the other one left.
    expect(changeBody({ notes: 'Terraza' }, { ...edited, choices: { notes: 'mine' } })).toEqual({
      notes: 'Terraza',
      loaded: { notes: 'Ventana' },
    })
  })
})
