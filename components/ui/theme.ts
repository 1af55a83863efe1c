import { createTheme, type MantineColorsTuple } from '@mantine/core'

const teja: MantineColorsTuple = [
  '#fbf2ef',
  '#f5e1da',
  '#ebc3b6',
  '#e0a28f',
  '#d5826a',
  '#c4634a',
  '#a94a34',
  '#933d2b',
  '#7a3224',
  '#5f271d',
]

const gray: MantineColorsTuple = [
  '#faf8f6',
  '#f2efeb',
  '#e9e5e0',
  '#ddd7d1',
  '#c9c2bb',
  '#a39a92',
  '#766d66',
  '#57504b',
  '#3a3431',
  '#1f1b19',
]

const dark: MantineColorsTuple = [
  '#e8e3df',
  '#cbc3bd',
  '#a8a09a',
  '#8a817b',
  '#3f3936',
  '#332e2b',
  '#272321',
  '#1f1c1b',
  '#161413',
  '#0f0d0d',
]

/** Warm neutrals and one accent, a terracotta (`teja`) whose filled shade carries white text at 5.6:1. */
export const theme = createTheme({
  colors: { teja, gray, dark },
  primaryColor: 'teja',
  primaryShade: 6,
  black: '#1f1b19',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'var(--font-geist-sans), system-ui, sans-serif',
  headings: { fontWeight: '600' },
})
