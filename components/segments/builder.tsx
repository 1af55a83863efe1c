'use client'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { MAX_CONDITIONS } from '@/lib/segments/limits'
import type { Choices } from './condition-fields'
import { ConditionRow } from './condition-row'
import {
  conditionsIn,
  type GroupDraft,
  isGroup,
  newCondition,
  newGroup,
  nextKey,
  type PartDraft,
} from './draft'
import classes from './segments.module.css'

/** How many groups deep the form lets people nest. A definition from the API may be deeper. */
const LEVELS = 2
const KINDS = ['and', 'or', 'not_and', 'not_or'] as const

interface BuilderProps {
  root: GroupDraft
  choices: Choices
  onChange: (root: GroupDraft) => void
}

/** The conditions of a segment: nested groups, of each of which all or some must hold. */
export function Builder({ root, choices, onChange }: BuilderProps) {
  const frame = useRef<HTMLDivElement>(null)
  const full = conditionsIn(root) >= MAX_CONDITIONS

  /** An added part gets the focus, so that keyboard users go on there. */
  function change(next: PartDraft, added?: number) {
    onChange(next as GroupDraft)
    if (added === undefined) return
    requestAnimationFrame(() =>
      frame.current
        ?.querySelector<HTMLElement>(
          `[data-segment-part="${added}"] select, [data-segment-part="${added}"] button`,
        )
        ?.focus(),
    )
  }

  return (
    <div ref={frame}>
      <Group
        group={root}
        path=""
        level={0}
        full={full}
        next={nextKey(root)}
        choices={choices}
        onChange={change}
      />
    </div>
  )
}

interface GroupProps {
  group: GroupDraft
  /** Its position, such as `2.1`; empty for the root. */
  path: string
  level: number
  full: boolean
  /** The key of the part that was added. */
  next: number
  choices: Choices
  onChange: (group: PartDraft, added?: number) => void
  onRemove?: () => void
}

function Group({ group, path, level, full, next, choices, onChange, onRemove }: GroupProps) {
  const t = useTranslations('client.segments')
  const put = (parts: PartDraft[], added?: number) => onChange({ ...group, parts }, added)
  const replace = (part: PartDraft, added?: number) =>
    put(
      group.parts.map((one) => (one.key === part.key ? part : one)),
      added,
    )
  const remove = (key: number) => put(group.parts.filter((one) => one.key !== key))
  const label = path === '' ? t('root') : t('group', { number: path })
  return (
    <fieldset className={classes.group} data-level={level} data-segment-part={group.key}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.head}>
        <NativeSelect
          aria-label={`${label}: ${t('match')}`}
          data={KINDS.map((kind) => ({ value: kind, label: t(`kindsOfGroup.${kind}`) }))}
          value={`${group.negated ? 'not_' : ''}${group.kind}`}
          onChange={(event) => {
            const { value } = event.currentTarget
            onChange({
              ...group,
              negated: value.startsWith('not_'),
              kind: value.endsWith('or') ? 'or' : 'and',
            })
          }}
        />
        {onRemove ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeGroup', { number: path })}
            title={t('removeGroup', { number: path })}
            onClick={onRemove}
          >
            <IconTrash size={17} aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
      {group.parts.map((part, index) => {
        const number = path === '' ? String(index + 1) : `${path}.${index + 1}`
        return isGroup(part) ? (
          <Group
            key={part.key}
            group={part}
            path={number}
            level={level + 1}
            full={full}
            next={next}
            choices={choices}
            onChange={replace}
            onRemove={() => remove(part.key)}
          />
        ) : (
          <ConditionRow
            key={part.key}
            draft={part}
            number={number}
            choices={choices}
            onChange={replace}
            onRemove={() => remove(part.key)}
          />
        )
      })}
      {group.parts.length === 0 ? <p className={classes.missing}>{t('emptyGroup')}</p> : null}
      <div className={classes.add}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={full}
          onClick={() => put([...group.parts, newCondition(next)], next)}
        >
          {t('addCondition')}
        </Button>
        {level < LEVELS ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={full}
            onClick={() =>
              put(
                [
                  ...group.parts,
                  {
                    ...newGroup(next, group.kind === 'and' ? 'or' : 'and'),
                    parts: [newCondition(next + 1)],
                  },
                ],
                next,
              )
            }
          >
            {t('addGroup')}
          </Button>
        ) : null}
      </div>
    </fieldset>
  )
}
