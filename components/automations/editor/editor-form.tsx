import type { ReactNode, RefObject } from 'react'
import classes from './editor-form.module.css'

interface EditorFormProps {
  form: RefObject<HTMLFormElement | null>
  onSubmit: () => void
  /** Whether it takes no input, as while its page is being left. */
  inert?: boolean
  preview: ReactNode
  /** The buttons, two beside each other; messages above them take the whole width. */
  actions: ReactNode
  /** The parts, one under the other. */
  children: ReactNode
}

/** An editor in parts on one page, with its preview and its buttons beside them, or below them on a phone. */
export function EditorForm({ form, onSubmit, inert = false, preview, actions, children }: EditorFormProps) {
  return (
    <form
      ref={form}
      className={classes.grid}
      noValidate
      inert={inert}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className={classes.parts}>{children}</div>
      <div className={classes.side}>
        {preview}
        <div className={classes.actions}>{actions}</div>
      </div>
    </form>
  )
}
