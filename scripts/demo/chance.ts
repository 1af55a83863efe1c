import { hashText } from '../../tests/fakes/pms/random'

/** A pseudo-random number in [0, 1), always the same for a key and a topic. */
export const share = (key: string, about: string): number => hashText(`${about}|${key}`) / 2 ** 32

/** A pseudo-random whole number from `min` to `max`, both included, always the same for a key. */
export const whole = (key: string, about: string, min: number, max: number): number =>
  min + Math.floor(share(key, about) * (max - min + 1))

/** A pseudo-random item of the list, always the same for a key. */
export const oneOf = <T>(key: string, about: string, items: readonly [T, ...T[]]): T =>
  items[whole(key, about, 0, items.length - 1)] ?? items[0]
