import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import { theme } from '../components/ui/theme'

/** The palettes that components or Mantine's style sheets use. */
const PALETTES = ['teja', 'gray', 'dark', 'red', 'teal']

/**
 * Mantine's variables for our theme as a style sheet, for light and dark. MantineProvider would write them into every
 * page, over a style sheet of the defaults, and work them out again in the browser.
 */
export function themeCss(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme)
  const unused = Object.keys(whole.colors).filter((name) => !PALETTES.includes(name))
  const drawn = (variables: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(variables).filter(([name]) =>
        unused.every((palette) => !name.startsWith(`--mantine-color-${palette}-`)),
      ),
    )
  const { variables, light, dark } = defaultCssVariablesResolver(whole)
  const css = convertCssVariables(
    { variables: drawn(variables), light: drawn(light), dark: drawn(dark) },
    ':root',
  )
  return `@layer mantine {\n${css}\n}\n`
}
