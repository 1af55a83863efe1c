import { hashText } from '../../tests/fakes/pms/random'

/** A number in [0, 1) that follows from a key and what is asked about it. */
export const share = (key: string, about: string): number => hashText(`${about}|${key}`) / 2 ** 32

/** A whole number from `min` to `max`, both included, that follows from a key. */
export const whole = (key: string, about: string, min: number, max: number): number =>
  min + Math.floor(share(key, about) * (max - min + 1))

/** An item of the list that follows from a key. */
export const oneOf = <T>(key: string, about: string, items: readonly [T, ...T[]]): T =>
  items[whole(key, about, 0, items.length - 1)] ?? items[0]
