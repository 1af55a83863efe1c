import type { ReactNode } from 'react'
import { each } from './each'
import type { Inline } from './inline'

/** Running text as React elements. */
export function inlineNode(pieces: readonly Inline[]): ReactNode {
  return each(pieces, pieceNode)
}

function pieceNode(piece: Inline): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return <code>{piece.text}</code>
    case 'strong':
      return <strong>{inlineNode(piece.children)}</strong>
    case 'emphasis':
      return <em>{inlineNode(piece.children)}</em>
    case 'strike':
      return <del>{inlineNode(piece.children)}</del>
    case 'break':
      return <br />
    case 'link':
      return (
        <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow" title={piece.href}>
          {inlineNode(piece.children)}
        </a>
      )
  }
}
