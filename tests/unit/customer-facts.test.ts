import { describe, expect, it } from 'vitest'
import { withChanges } from '@/lib/customers/fact-codes'
import { suggestFacts } from '@/lib/customers/facts'

describe('suggestFacts', () => {
  it.each([
    ['Alérgica a los frutos secos', ['nuts']],
    ['ALERGIA AL MARISCO', ['crustaceans', 'molluscs']],
    ['Intolerante a la lactosa. Prefiere la ventana', ['lactose', 'window']],
    ['sin gluten', ['gluten']],
    ['Celiaco', ['gluten']],
    ['sin huevo ni leche, por favor', ['egg', 'milk']],
    ['No puede comer pescado', ['fish']],
    ['Vegana; viene con perro\nTrona', ['vegan', 'high_chair', 'dog']],
    ['alergia-nueces', ['nuts']],
    ['Nut allergy, no shellfish? Also gluten-free', ['gluten', 'nuts', 'crustaceans', 'molluscs']],
    ['Allergic to peanuts', ['peanut']],
    ["Can't eat eggs", ['egg']],
    ['dairy free', ['milk']],
    ['Quiet table, wheelchair', ['quiet', 'wheelchair']],
    ['No bebe: sin alcohol', ['no_alcohol']],
  ])('%s', (note, codes) => {
    expect(new Set(suggestFacts(note))).toEqual(new Set(codes))
  })

  it.each([
    'No tiene alergias',
    'no tiene ninguna alergia a los frutos secos',
    'Sin alergias',
    'No es alérgico a las nueces',
    'No es celíaca',
    'Not allergic to nuts',
    'No allergies',
    'no es vegetariana',
    'Not vegan',
    'sin trona',
    'Le encanta el pescado y el pulpo',
    'Loves prawns',
    '',
  ])('nothing of “%s”', (note) => {
    expect(suggestFacts(note, null, undefined)).toEqual([])
  })

  it('reads sentence by sentence, and across notes', () => {
    expect(suggestFacts('No tiene alergias. Sin gluten por gusto.', 'vegano')).toEqual(['gluten', 'vegan'])
    expect(suggestFacts('No tiene alergias, pero sí intolerancia a la lactosa')).toEqual(['lactose'])
    expect(suggestFacts('Sin alergias salvo a las nueces')).toEqual(['nuts'])
    expect(suggestFacts('Alérgico al huevo. Le gusta el pescado.')).toEqual(['egg'])
  })
})

describe('withChanges', () => {
  const fact = (code: 'nuts' | 'egg' | 'dog', note: string | null = null) => ({ code, note })

  it('adds, changes and removes', () => {
    const before = [fact('nuts'), fact('dog')]
    expect(withChanges(before, before, [fact('nuts', 'Grave'), fact('egg')])).toEqual([
      fact('nuts', 'Grave'),
      fact('egg'),
    ])
  })

  it('keeps what a colleague recorded or noted meanwhile', () => {
    const now = [fact('nuts', 'Lleva adrenalina'), fact('egg')]
    expect(withChanges(now, [fact('nuts')], [fact('nuts'), fact('dog')])).toEqual([...now, fact('dog')])
    expect(withChanges(now, [], [fact('dog')])).toEqual([...now, fact('dog')])
  })
})
