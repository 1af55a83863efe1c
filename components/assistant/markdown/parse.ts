import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'

// HTML stays text. Definitions would vanish; underlines and indentation would change how an unfinished answer looks.
const OFF = ['htmlFlow', 'htmlText', 'definition', 'setextUnderline', 'codeIndented']
// The parser's time grows with the cube of the nesting of quotes and lists on one line: a seventh marker is text.
const MARKER = String.raw`[ \t]*(?:[>*+-]|\d{1,9}[.)])`
const RULE = String.raw`[ \t]*([*-])(?:[ \t]*\1){2,}[ \t]*$`
const TOO_DEEP = new RegExp(`^(?!${RULE})((?:${MARKER}){6}[ \\t]*)(?=${MARKER})`, 'gm')

const extensions = [
  gfmTable(),
  gfmStrikethrough({ singleTilde: false }),
  gfmAutolinkLiteral(),
  { disable: { null: OFF } },
]
const mdastExtensions = [
  gfmTableFromMarkdown(),
  gfmStrikethroughFromMarkdown(),
  gfmAutolinkLiteralFromMarkdown(),
]

/** Parses Markdown with tables, strikethrough and bare addresses; raw HTML is text. Positions refer to `text`. */
export function parseMarkdown(source: string): { tree: Root; text: string } {
  const text = source.replace(TOO_DEEP, '$2\\')
  return { tree: fromMarkdown(text, { extensions, mdastExtensions }), text }
}
