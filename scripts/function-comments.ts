import type { Source } from '../supabase/release/sources'

/** Puts above each function of the formatted types what its SQL comment says and the file that makes it, as JSDoc. */
export function withComments(types: string, comments: Map<string, string>, sources: Source[]): string {
  const files = new Map(
    sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^create or replace function public\.(\w+)/gm)].map(([, name]) => [name, path]),
    ),
  )
  // The functions are the entries of `Functions`, each at this depth; their arguments are deeper.
  return types.replace(/^ {4}Functions: \{\n[\s\S]*?^ {4}\}/m, (functions) =>
    functions.replace(/^ {6}(\w+):/gm, (entry, name) => {
      const lines = [comments.get(name), files.get(name)].filter((line) => line !== undefined)
      if (lines.length === 0) return entry
      const text = lines.join('\n').replaceAll('*/', '*\\/').replaceAll('\n', '\n       * ')
      return `      /**\n       * ${text}\n       */\n${entry}`
    }),
  )
}
