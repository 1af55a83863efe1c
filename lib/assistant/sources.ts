import { normalizeText } from '@/lib/search'
import type { Source } from './schema'
import type { Found } from './tools/tool'

const MAX_SOURCES = 50
const MIN_NAME = 2

/** Of the records that were looked up, those the reply names (case and accents aside), each once; 50 at most. */
export function sourcesNamed(content: string, found: readonly Found[]): Source[] {
  const text = normalizeText(content)
  const sources = new Map<string, Source>()
  for (const { type, id, label, names } of found) {
    if (sources.size === MAX_SOURCES) break
    if (names.some((name) => isNamed(text, normalizeText(name))))
      sources.set(`${type} ${id}`, { type, id, label })
  }
  return [...sources.values()]
}

/** As whole words: «Ana» is not named by «mañana». */
function isNamed(text: string, name: string): boolean {
  if (name.length < MIN_NAME) return false
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1], text[at + name.length]]
    if (!around.some((character) => character !== undefined && /[\p{L}\p{N}]/u.test(character))) return true
  }
  return false
}
