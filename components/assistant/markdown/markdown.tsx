import type { AlignType, Image, Link, ListItem, Nodes, Table } from 'mdast'
import { toString as textOf } from 'mdast-util-to-string'
import { Fragment, memo, type ReactNode } from 'react'
import { linkTarget } from './link-target'
import classes from './markdown.module.css'
import { parseMarkdown } from './parse'

const MAX_DEPTH = 20
const LINE_END = /\n|<br\s?\/?>/i

/** What rendering an element needs besides its nodes. */
interface Context {
  /** The parsed source: a node nested too deeply is shown as its source text. */
  text: string
  tableLabel: string
  depth: number
}

/** Renders a Markdown text as React elements. No HTML is passed through, and links lead to pages of this app only. */
const Markdown = memo(({ text: source, tableLabel }: { text: string; tableLabel: string }) => {
  const { tree, text } = parseMarkdown(source)
  return <div className={classes.text}>{elements(tree.children, { text, tableLabel, depth: 0 })}</div>
})
export default Markdown

/** The text only grows at its end, so a node's position identifies it. */
function elements(nodes: readonly Nodes[], context: Context): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return nodes.map((node, index) => <Fragment key={index}>{element(node, context)}</Fragment>)
}

function element(node: Nodes, outer: Context): ReactNode {
  const context = { ...outer, depth: outer.depth + 1 }
  if (context.depth > MAX_DEPTH)
    return context.text.slice(node.position?.start.offset, node.position?.end.offset)
  switch (node.type) {
    case 'text':
      return lines(node.value)
    case 'break':
      return <br />
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'strong':
      return <strong>{elements(node.children, context)}</strong>
    case 'emphasis':
      return <em>{elements(node.children, context)}</em>
    case 'delete':
      return <del>{elements(node.children, context)}</del>
    case 'link':
    case 'image':
      return link(node, context)
    case 'paragraph':
      return <p>{elements(node.children, context)}</p>
    case 'heading': {
      // Below the page's own headings.
      const Heading = node.depth < 3 ? 'h3' : 'h4'
      return <Heading>{elements(node.children, context)}</Heading>
    }
    case 'code':
      return (
        <pre>
          <code>{node.value}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{elements(node.children, context)}</blockquote>
    case 'thematicBreak':
      return <hr />
    case 'list': {
      const items = elements(node.children, context)
      return node.ordered ? <ol start={node.start ?? 1}>{items}</ol> : <ul>{items}</ul>
    }
    case 'listItem':
      return <li>{itemContent(node, context)}</li>
    case 'table':
      return table(node, context)
    default:
      return null
  }
}

/** Text with its line ends, also those written as `<br>`. */
function lines(text: string): ReactNode {
  return text.split(LINE_END).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>
      {index > 0 ? <br /> : null}
      {line}
    </Fragment>
  ))
}

/** A link to another host becomes text that names the host, and so does an image: nothing is fetched. */
function link(node: Link | Image, context: Context): ReactNode {
  const { href, host } = linkTarget(node.url)
  const label = node.type === 'image' ? node.alt : elements(node.children, context)
  if (href && node.type === 'link')
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {node.children.length > 0 ? label : href}
      </a>
    )
  return (
    <>
      {label}
      {host === null || textOf(node).includes(host) ? null : ` (${host})`}
    </>
  )
}

/** An item's first paragraph stands beside its bullet, without a paragraph's margins. */
function itemContent({ children }: ListItem, context: Context): ReactNode {
  const [first, ...others] = children
  if (first?.type !== 'paragraph') return elements(children, context)
  return (
    <>
      {elements(first.children, context)}
      {elements(others, context)}
    </>
  )
}

/** A table, each row with as many cells as the head; wider than the screen, it scrolls by itself, also by keyboard. */
function table({ align, children: [head, ...rows] }: Table, context: Context): ReactNode {
  const columns = head?.children ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable
    <section className={classes.scroll} aria-label={context.tableLabel} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th key={column} scope="col" data-align={side(align?.[column])}>
                {elements(cell.children, context)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <tr key={index}>
              {columns.map((_, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={column} data-align={side(align?.[column])}>
                  {elements(row.children[column]?.children ?? [], context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function side(align: AlignType | undefined): 'start' | 'center' | 'end' {
  if (align === 'center') return 'center'
  return align === 'right' ? 'end' : 'start'
}
