/** The levels of arrays and objects that JSON from outside may have; ours have five at most. */
const MOST_LEVELS = 32

/**
 * JSON from outside. What passes can be walked by functions that call themselves, stored, and spread into objects.
 * @throws SyntaxError when it is no JSON, nested deeper than 32 levels, or has a number out of range or a key `__proto__`.
 */
export function parseJson(text: string): unknown {
  const whole: unknown = JSON.parse(text)
  // Level by level, without calling itself: depth costs no stack.
  let level: unknown[] = [whole]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('number out of range')
      if (typeof value !== 'object' || value === null) continue
      if (depth === MOST_LEVELS) throw new SyntaxError('nested too deep')
      if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('__proto__ is no name')
      for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
  return whole
}
