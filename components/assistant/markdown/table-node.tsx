import { each } from './each'
import { inlineNode } from './inline-node'
import classes from './markdown.module.css'
import type { Table } from './table'

/** A table; wider than the screen, it scrolls by itself, also by keyboard. */
export function TableNode({ table: { align, head, rows }, label }: { table: Table; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {each(head, (cell, column) => (
              <th scope="col" data-align={align[column]}>
                {inlineNode(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>
              {each(row, (cell, column) => (
                <td data-align={align[column]}>{inlineNode(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
