'use client'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconBold, IconItalic, IconLink } from '@tabler/icons-react'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { isSafeLink } from '@/lib/email-design/limits'
import type { Run } from '@/lib/email-design/schema'
import { docOfRuns, runsOfDoc } from './blocks'
import classes from './design-editor.module.css'
import { InsertVariable, type VariableChoice } from './variables'

interface RichTextProps {
  label: string
  runs: readonly Run[]
  variables: readonly VariableChoice[]
  disabled: boolean
  onChange: (runs: Run[]) => void
}

const isAllowed = (href: string) => isSafeLink(href) || /\{[{%]/.test(href)

// Only what the e-mail knows. The design has an undo of its own.
const EXTENSIONS = [
  StarterKit.configure({
    ...{ blockquote: false, bulletList: false, code: false, codeBlock: false, dropcursor: false },
    ...{ gapcursor: false, heading: false, horizontalRule: false, listItem: false, listKeymap: false },
    ...{ orderedList: false, strike: false, trailingNode: false, underline: false, undoRedo: false },
    link: { openOnClick: false, autolink: false, linkOnPaste: false, isAllowedUri: isAllowed },
  }),
]

/** The text of a block, with bold, italic and links. */
export function RichText({ label, runs, variables, disabled, onChange }: RichTextProps) {
  const t = useTranslations('client.emailDesign')
  const [address, setAddress] = useState<string | null>(null)
  // The editor keeps its first handlers.
  const latest = useRef({ onChange, written: JSON.stringify(runs) })
  latest.current.onChange = onChange

  const editor = useEditor({
    extensions: EXTENSIONS,
    content: docOfRuns(runs),
    editable: !disabled,
    immediatelyRender: false,
    // The page's policy allows no style sheets but its own.
    injectCSS: false,
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true' } },
    onUpdate: ({ editor: one }) => {
      const next = runsOfDoc(one.getJSON())
      latest.current.written = JSON.stringify(next)
      latest.current.onChange(next)
    },
  })
  const marks = useEditorState({
    editor,
    selector: ({ editor: one }) => ({
      bold: one?.isActive('bold') ?? false,
      italic: one?.isActive('italic') ?? false,
      link: (one?.getAttributes('link').href as string | undefined) ?? null,
    }),
  })

  // An undo, or another template.
  const given = JSON.stringify(runs)
  useEffect(() => {
    if (!editor || given === latest.current.written) return
    latest.current.written = given
    editor.commands.setContent(docOfRuns(JSON.parse(given) as Run[]), { emitUpdate: false })
  }, [editor, given])
  useEffect(() => {
    editor?.setEditable(!disabled, false)
  }, [editor, disabled])

  function setLink(href: string) {
    const chain = editor?.chain().focus().extendMarkRange('link')
    if (href === '') chain?.unsetLink().run()
    else chain?.setLink({ href }).run()
    setAddress(null)
  }

  const toggles = [
    { name: 'bold', Icon: IconBold, on: marks?.bold, run: () => editor?.chain().focus().toggleBold().run() },
    {
      name: 'italic',
      Icon: IconItalic,
      on: marks?.italic,
      run: () => editor?.chain().focus().toggleItalic().run(),
    },
    {
      name: 'link',
      Icon: IconLink,
      on: Boolean(marks?.link),
      run: () => setAddress(marks?.link ?? 'https://'),
    },
  ] as const
  return (
    <div className={classes.rich}>
      <EditorContent editor={editor} className={classes.words} />
      {disabled ? null : (
        <div className={classes.tools}>
          {toggles.map(({ name, Icon, on, run }) => (
            <ActionIcon
              key={name}
              variant={on ? 'filled' : 'default'}
              size="md"
              aria-label={t(`marks.${name}`)}
              aria-pressed={on}
              onClick={run}
            >
              <Icon size={15} aria-hidden />
            </ActionIcon>
          ))}
          <InsertVariable
            label={label}
            variables={variables}
            onInsert={(text) => editor?.chain().focus().insertContent({ type: 'text', text }).run()}
          />
        </div>
      )}
      {address === null ? null : (
        <div className={classes.tools}>
          <TextInput
            aria-label={t('linkTo')}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={address === '' || isAllowed(address.trim()) ? undefined : t('linkInvalid')}
            maxLength={1000}
            autoComplete="off"
            size="xs"
            data-autofocus
          />
          <Button
            size="xs"
            variant="default"
            disabled={address.trim() !== '' && !isAllowed(address.trim())}
            onClick={() => setLink(address.trim())}
          >
            {t('apply')}
          </Button>
        </div>
      )}
    </div>
  )
}
