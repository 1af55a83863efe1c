'use client'
import { ActionIcon } from '@mantine/core'
import { type Icon, IconTrash } from '@tabler/icons-react'
import classes from './row-actions.module.css'

interface Action {
  /** Names the thing too: a screen reader hears the button by itself. */
  label: string
  /** A bin when absent: it takes away. */
  icon?: Icon
  onClick: () => void
}

/** The buttons at the end of a row. */
export function RowActions({ actions }: { actions: readonly Action[] }) {
  return (
    <div className={classes.actions}>
      {actions.map(({ label, icon: Picture = IconTrash, onClick }) => (
        <ActionIcon
          key={label}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={label}
          title={label}
          onClick={onClick}
        >
          <Picture size={17} stroke={1.7} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}
