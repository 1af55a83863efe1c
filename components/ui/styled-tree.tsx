'use client'
import { MantineProvider, type MantineProviderProps } from '@mantine/core'
import { useState } from 'react'

interface StyledTreeProps extends Omit<MantineProviderProps, 'getStyleNonce'> {
  nonce: string | undefined
}

/** Mantine, with the nonce that the document's policy asks of style elements. */
export function StyledTree({ nonce = '', ...provider }: StyledTreeProps) {
  // Of the first answer: a refresh brings another nonce, and the document keeps its policy.
  const [getStyleNonce] = useState(() => () => nonce)
  return <MantineProvider {...provider} getStyleNonce={getStyleNonce} />
}
