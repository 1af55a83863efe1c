import { memo, type ReactNode } from 'react'
import { type Block, parseBlocks } from './blocks'
import { each } from './each'
import { inlineNode } from './inline-node'
import classes from './markdown.module.css'
import { TableNode } from './table-node'

/** A Markdown text as React elements. Nothing in it can become HTML, and links lead to the web or an e-mail only. */
export const Markdown = memo(({ text, tableLabel }: { text: string; tableLabel: string }) => (
  <div className={classes.text}>{blocksNode(parseBlocks(text), tableLabel)}</div>
))

function blocksNode(blocks: readonly Block[], tableLabel: string): ReactNode {
  return each(blocks, (block) => blockNode(block, tableLabel))
}

function blockNode(block: Block, tableLabel: string): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{inlineNode(block.children)}</p>
    case 'heading': {
      // Below the page's own headings.
      const Heading = block.level < 3 ? 'h3' : 'h4'
      return <Heading>{inlineNode(block.children)}</Heading>
    }
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{blocksNode(block.blocks, tableLabel)}</blockquote>
    case 'rule':
      return <hr />
    case 'list': {
      const items = each(block.items, (item) => <li>{itemNode(item, tableLabel)}</li>)
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return <TableNode table={block} label={tableLabel} />
  }
}

/** An item's first paragraph stands beside its bullet without a paragraph's margins. */
function itemNode([first, ...others]: readonly Block[], tableLabel: string): ReactNode {
  if (first?.kind !== 'paragraph') return blocksNode(first ? [first, ...others] : [], tableLabel)
  return (
    <>
      {inlineNode(first.children)}
      {blocksNode(others, tableLabel)}
    </>
  )
}
