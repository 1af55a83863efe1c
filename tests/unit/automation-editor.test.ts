import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import {
  badVariable,
  bodyOf,
  defaultCriteria,
  draftOf,
  newDraft,
} from '@/components/automations/editor/draft'
import { variablesFor } from '@/components/automations/editor/whatsapp-template'
import { completeCriteria } from '@/lib/automations/check'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { es } from '@/lib/i18n/es'
import { smsEstimate, smsLength } from '@/lib/messaging/sms-length'
import { templateMistake } from '@/lib/messaging/template'

const TIERS = ['Bronce', 'Plata', 'Oro', 'Platino']

describe('the form of an automation', () => {
  it.each(AUTOMATION_TYPES)('begins with criteria that the API takes: %s', (type) => {
    const { criteria } = bodyOf(newDraft(type, 'Nueva', TIERS), 'es')
    expect(completeCriteria(type, criteria)).toEqual({ success: true, data: criteria })
  })

  it('sends the question only when answers are understood', () => {
    const draft = newDraft('reservation_confirmation', 'Nueva', TIERS)
    const criteria = { ...draft.criteria, question: '¿1 o 2?', nudge_hours: '6' }
    expect(bodyOf({ ...draft, criteria }, 'es').criteria).toEqual({})
    expect(bodyOf({ ...draft, criteria: { ...criteria, answers: 'true' } }, 'es').criteria).toEqual({
      answers: true,
      question: '¿1 o 2?',
      answer_hours: 72,
      nudge_hours: 6,
    })
  })

  it('offers only tiers that there are', () => {
    expect(defaultCriteria('vip_reward', TIERS).min_tier).toBe('Oro')
    expect(defaultCriteria('vip_reward', ['Base', 'Top']).min_tier).toBe('Top')
    expect(bodyOf(newDraft('vip_reward', 'VIP', []), 'es').criteria).toEqual({})
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
      email_design: null,
      versions: [],
      criteria: { min_spend: 99.5 },
      location_ids: ['l'],
      tags: ['prensa', 'socio'],
      tier_ids: ['t'],
      control_share: null,
      created_at: '',
      updated_at: '',
    }
    const { id: _, name: __, status: ___, created_at: ____, updated_at: _____, ...body } = saved
    expect(bodyOf(draftOf(saved, 'es'), 'es')).toEqual(body)
  })

  it('reads numbers as its reader writes them, and leaves to the API what is none', () => {
    const draft = newDraft('vip_reward', 'VIP', TIERS)
    const criteria = (min_spend: string, locale: string) =>
      bodyOf({ ...draft, criteria: { min_tier: '', min_spend } }, locale).criteria
    expect(criteria('12,5', 'es')).toEqual({ min_spend: 12.5 })
    expect(criteria('1.000', 'es')).toEqual({ min_spend: 1000 })
    expect(criteria('1,000', 'en')).toEqual({ min_spend: 1000 })
    for (const text of ['mucho', '1.00.0', '1,000']) {
      expect(criteria(text, 'es')).toEqual({ min_spend: text })
      expect(completeCriteria('vip_reward', criteria(text, 'es')).success).toBe(false)
    }
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

describe('a mistake in a template', () => {
  const t = createTranslator({ locale: 'es', messages: es, namespace: 'client.errors.issues' })
  const sentence = async (text: string) => {
    const mistake = await templateMistake([text])
    const { path, code, params } = mistake?.error.problemAt('body') ?? { path: '', code: 'invalid' }
    return [path, t(code as 'template_value', params as never)]
  }

  it('is shown at its field, with its line and what is wrong', async () => {
    const at = (text: string) => ['body', text]
    expect(await sentence('Hola\n{{ first_name')).toEqual(
      at('Línea 2: falta cerrar una variable con dos llaves.'),
    )
    expect(await sentence('Hola\n{% if tier %}x')).toEqual(at('Línea 2: falta cerrar «if».'))
    expect(await sentence('{% regalo %}')).toEqual(
      at('Línea 1: «regalo» no es una etiqueta que se pueda usar.'),
    )
    expect(await sentence('{{ tier | grita }}')).toEqual(
      at('Línea 1: «grita» no es un filtro que se pueda usar.'),
    )
    expect(await sentence('{% if %}x{% endif %}')).toEqual(at('Línea 1: falta el valor o no se entiende.'))
    expect(await sentence('{% for i in (1..101) %}{% endfor %}')).toEqual(
      at('Línea 1: (1..101) es demasiado largo: una serie va de un número a otro, 100 como mucho.'),
    )
    expect(await sentence('{% for x %}{% endfor %}')).toEqual(at('Línea 1: no se entiende «{% for x %}».'))
  })
})

describe('an SMS', () => {
  it('of a whole audience costs its segments times the price', () => {
    expect(smsEstimate({ segments: 2 }, 1500, 0.0715)).toEqual({ segments: 3000, cost: 214.5 })
    expect(smsEstimate({ segments: 2 }, 1500, null)).toEqual({ segments: 3000, cost: null })
  })

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

it('a WhatsApp template brings its variables, and those that have a value keep it', () => {
  const before = [
    { key: 4, name: ' 2 ', value: '{{ location_name }}' },
    { key: 5, name: '9', value: 'x' },
  ]
  expect(variablesFor({ variables: ['1', '2'] }, before)).toEqual([
    { key: 0, name: '1', value: '' },
    { key: 1, name: '2', value: '{{ location_name }}' },
  ])
})
