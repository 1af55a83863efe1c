import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import {
  badVariable,
  bodyOf,
  defaultCriteria,
  draftOf,
  newDraft,
} from '@/components/automations/editor/draft'
import { problemOf } from '@/components/automations/editor/problem'
import { smsLength } from '@/components/automations/editor/sms-length'
import { reasonText } from '@/components/automations/reason-text'
import { completeCriteria } from '@/lib/automations/criteria'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { es } from '@/lib/i18n/es'
import { templateMistake } from '@/lib/messaging/template'

const TIERS = ['Bronce', 'Plata', 'Oro', 'Platino']

describe('the form of an automation', () => {
  it.each(AUTOMATION_TYPES)('begins with criteria that the API takes: %s', (type) => {
    const { criteria } = bodyOf(newDraft(type, 'Nueva', TIERS))
    expect(completeCriteria(type, criteria)).toEqual({ success: true, data: criteria })
  })

  it('offers only tiers that there are', () => {
    expect(defaultCriteria('vip_reward', TIERS).min_tier).toBe('Oro')
    expect(defaultCriteria('vip_reward', ['Base', 'Top']).min_tier).toBe('Top')
    expect(bodyOf(newDraft('vip_reward', 'VIP', [])).criteria).toEqual({})
  })

  it('gives back what was saved', () => {
    const saved = {
      id: 'a',
      name: 'VIP',
      type: 'vip_reward' as const,
      channel: 'whatsapp' as const,
      fallback_channel: 'email' as const,
      status: 'inactive' as const,
      subject: 'Hola',
      body: 'Ven.',
      content_sid: `HX${'0'.repeat(32)}`,
      content_variables: { 1: '{{ first_name }}' },
      criteria: { min_spend: 99.5 },
      location_ids: ['l'],
      tags: ['prensa', 'socio'],
      tier_ids: ['t'],
      created_at: '',
      updated_at: '',
    }
    const { id: _, name: __, status: ___, created_at: ____, updated_at: _____, ...body } = saved
    expect(bodyOf(draftOf(saved))).toEqual(body)
  })

  it('takes a decimal comma, and leaves to the API what is no number', () => {
    const draft = newDraft('vip_reward', 'VIP', TIERS)
    const criteria = (min_spend: string) =>
      bodyOf({ ...draft, criteria: { min_tier: '', min_spend } }).criteria
    expect(criteria('12,5')).toEqual({ min_spend: 12.5 })
    expect(criteria('mucho')).toEqual({ min_spend: 'mucho' })
  })
})

describe('the variables of a template', () => {
  const bad = (...names: string[]) => {
    const variables = names.map((name, key) => ({ key, name, value: 'x' }))
    return badVariable({ ...newDraft('birthday', 'Nueva', TIERS), variables })
  }

  it('need names that differ', () => {
    expect(bad('1', 'nombre_2')).toBeNull()
    expect(bad('1', '')).toBe('')
    expect(bad('1', 'con espacio')).toBe('con espacio')
    expect(bad('1', '2', '1 ')).toBe('1')
  })
})

describe('a refusal', () => {
  const about = (error: string, status = 400) => problemOf({ status, error })
  const parsed = async (text: string) => {
    const mistake = await templateMistake([text])
    return mistake && about(`body: line ${mistake.error.line}: ${mistake.error.message}`)
  }

  it('of a template tells field, line and what is wrong', async () => {
    const template = { kind: 'template', field: 'body', line: 2 }
    expect(await parsed('Hola\n{{ first_name')).toEqual({ ...template, text: 'output', what: '' })
    expect(await parsed('Hola\n{% if tier %}x')).toEqual({ ...template, text: 'tag', what: 'if' })
    expect(await parsed('Hola\n{% regalo %}')).toEqual({ ...template, text: 'unknownTag', what: 'regalo' })
    expect(await parsed('Hola\n{{ tier | grita }}')).toEqual({ ...template, text: 'filter', what: 'grita' })
    expect(await parsed('Hola\n{% if %}x{% endif %}')).toEqual({ ...template, text: 'value', what: '' })
    expect(await parsed('Hola\n{% for i in (1..101) %}{% endfor %}')).toEqual({
      ...template,
      text: 'range',
      what: '(1..101)',
    })
    expect(about('body: line 1: took too long')).toMatchObject({ text: 'slow' })
    expect(about('body: line 1: nested too deeply')).toMatchObject({ text: 'deep' })
  })

  it('of a field tells which one', () => {
    expect(about('criteria.days_before: Too big')).toMatchObject({
      field: 'criteria.days_before',
      text: 'days_before',
    })
    expect(about('criteria.window_hours: must be more than hours_after')).toMatchObject({ text: 'window' })
    expect(about('subject: needed to send e-mail')).toMatchObject({ field: 'subject', text: 'subject' })
    expect(about('content_sid: needed to send WhatsApp, or a body')).toMatchObject({ text: 'sidNeeded' })
    expect(about('tags.3: Too long')).toMatchObject({ field: 'tags' })
    expect(about('template: too long once rendered')).toMatchObject({ field: 'body', text: 'render' })
    expect(about('Already exists', 409)).toMatchObject({ field: 'name', text: 'taken' })
    expect(about('Changed by someone else meanwhile', 409)).toMatchObject({ field: '', text: 'changed' })
    expect(about('Forbidden', 403)).toBeNull()
  })
})

describe('an SMS', () => {
  it('is counted as operators do', () => {
    expect(smsLength('')).toEqual({ characters: 0, segments: 0, foreign: [] })
    expect(smsLength('a'.repeat(160)).segments).toBe(1)
    expect(smsLength('a'.repeat(161)).segments).toBe(2)
    expect(smsLength('€'.repeat(80)).segments).toBe(1)
    expect(smsLength('€'.repeat(81)).segments).toBe(2)
    expect(smsLength('Te esperamos mañana, ¿sí?').foreign).toEqual(['í'])
    expect(smsLength('á'.repeat(70)).segments).toBe(1)
    expect(smsLength('á'.repeat(71)).segments).toBe(2)
    expect(smsLength('😀'.repeat(36))).toMatchObject({ characters: 36, segments: 2 })
  })
})

describe('a reason', () => {
  const t = createTranslator({ locale: 'es', messages: es, namespace: 'client.automations.reasons' })
  const words = (reason: string | null) => reasonText(t as never, reason)

  it('is told in words, whatever the code', () => {
    expect(words('frequency_cap')).toBe('Ya recibió otro mensaje hace poco')
    expect(words('twilio_30999')).toBe('Twilio lo rechazó (código 30999)')
    expect(words('template: too long')).toContain('too long')
    expect(words('the provider failed unexpectedly')).toBe(words('provider_error'))
    expect(words('mailbox full')).toBe('El proveedor indicó: mailbox full')
    expect(words(null)).toBe('Sin motivo indicado')
    for (const code of Object.keys(es.client.automations.reasons))
      if (!['other', 'none', 'template', 'provider_code', 'provider_silent'].includes(code))
        expect(words(code), code).not.toContain('indicó')
  })
})
