import { type Country, unaccented } from './names'
import { hashText, type Random } from './random'

// The last digits of each pool walk through all values once, so numbers are unique without remembering them.
const PHONES: Record<Country, { prefix: string; digits: number; size: number }> = {
  // 69x stays free for the bulk generator.
  ES: { prefix: '+346', digits: 8, size: 90_000_000 },
  GB: { prefix: '+4473', digits: 8, size: 100_000_000 },
  FR: { prefix: '+3361', digits: 7, size: 10_000_000 },
  DE: { prefix: '+49151', digits: 8, size: 100_000_000 },
  PT: { prefix: '+35191', digits: 7, size: 10_000_000 },
}

const DOMAINS = [
  ['correo.example', 45],
  ['mail.example', 25],
  ['buzon.example', 20],
  ['empresa.example', 10],
] as const

/** A valid mobile number in E.164; unique for every index below 10 million with the same seed. */
export function phoneNumber(seed: string, country: Country, index: number): string {
  const { prefix, digits, size } = PHONES[country]
  // 7919 is prime and divides none of the sizes; the product stays far below 2^53.
  const number = (index * 7_919 + hashText(`${seed}|phone|${country}`)) % size
  return prefix + String(number).padStart(digits, '0')
}

/** An ASCII e-mail at a reserved domain that is not in `taken` yet (it is added). */
export function emailAddress(random: Random, first: string, last: string, taken: Set<string>): string {
  const letters = (text: string) =>
    unaccented(text)
      .toLowerCase()
      .replace(/[^a-z]/g, '')
  const given = letters(first)
  const family = letters(last.split(' ')[0] ?? last)
  const local = random.pick([
    `${given}.${family}`,
    `${given}${family}`,
    `${given[0]}${family}`,
    `${family}.${given}`,
  ])
  const domain = random.weighted(DOMAINS)
  let email = `${local}@${domain}`
  while (taken.has(email)) email = `${local}${random.int(2, 9_999)}@${domain}`
  taken.add(email)
  return email
}
