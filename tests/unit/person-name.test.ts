import { describe, expect, it } from 'vitest'
import { personName, shownName, writtenName } from '@/lib/customers/person-name'

describe('shownName', () => {
  it.each([
    ['MARÍA GARCÍA LÓPEZ', 'María García López'],
    ['josé de la cruz', 'José de la Cruz'],
    ['DE LA TORRE', 'De la Torre'],
    ['VINCENT VAN GOGH', 'Vincent van Gogh'],
    ['RAMÓN Y CAJAL', 'Ramón y Cajal'],
    ['ludwig von der leyen', 'Ludwig von der Leyen'],
    ['BOBBY VAN', 'Bobby Van'],
    ['ARTURO PÉREZ-REVERTE', 'Arturo Pérez-Reverte'],
    ['CONAN O’BRIEN', 'Conan O’Brien'],
    ["o'neill", "O'Neill"],
    ["JEANNE D'ARC", "Jeanne D'Arc"],
    ['RONALD MCDONALD', 'Ronald McDonald'],
    ['J.R. HARTLEY', 'J.R. Hartley'],
    ['MJ RUIZ', 'MJ Ruiz'],
    ['Mª CARMEN', 'Mª Carmen'],
    ['ÁNGEL ÑÍGUEZ', 'Ángel Ñíguez'],
    ['  ana  ruiz ', '  Ana  Ruiz '],
  ])('%s becomes %s', (name, shown) => {
    expect(shownName(name)).toBe(shown)
  })

  it.each([
    'María García',
    'Ana de la O',
    'DiCaprio',
    'iPhone',
    'ana@correo.example',
    'GRUPO 12',
    '',
    '李小龍',
    '<b>x</b>',
  ])('“%s” stays as it is', (name) => {
    expect(shownName(name)).toBe(name)
  })
})

it('a person is shown in title case, and written as stored', () => {
  const person = { first_name: 'ANA', last_name: 'DE LA CRUZ' }
  expect(personName(person)).toBe('Ana de la Cruz')
  expect(writtenName(person)).toBe('ANA DE LA CRUZ')
  expect(personName({ first_name: 'ANA', last_name: 'Ruiz' })).toBe('ANA Ruiz')
  expect(personName({ first_name: null, last_name: null })).toBeNull()
})
