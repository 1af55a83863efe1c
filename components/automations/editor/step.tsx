import type { ReactNode } from 'react'
import { FormFields } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import classes from './step.module.css'

/** A numbered part of the editor. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <div id={`step-${number}`} className={classes.step} data-number={number}>
      <Panel title={`${number}. ${title}`}>
        <FormFields>{children}</FormFields>
      </Panel>
    </div>
  )
}
