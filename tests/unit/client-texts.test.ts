import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

// A missing text shows its key to a person, also in dialogs that no browser test opens.
// The innermost <ClientTexts> gives a client component its texts: those of a page, else those of the nearest layout.
const PROVIDER = 'components/ui/client-texts.tsx'
const files = new Map(
  globSync('{app,components,lib}/**/*.{ts,tsx}').map((path) => [path, readFileSync(path, 'utf8')]),
)
const EVERYWHERE = namesIn(/EVERYWHERE.*?= (\[.*?\])/gs, PROVIDER)

function namesIn(list: RegExp, path: string): string[] {
  return [...(files.get(path) ?? '').matchAll(list)].flatMap(([, names]) =>
    [...(names ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name ?? ''),
  )
}

function resolve(name: string, from: string): string | undefined {
  if (!/^[.@]/.test(name)) return
  const path = name.startsWith('@/') ? name.slice(2) : normalize(join(dirname(from), name))
  return ['.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => path + end).find((one) => files.has(one))
}

function imports(path: string): string[] {
  const pattern = /^(?:import|export) (?!type)[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gm
  return [...(files.get(path) ?? '').matchAll(pattern)].flatMap(
    ([, from, lazy]) => resolve(from ?? lazy ?? '', path) ?? [],
  )
}

/** The files that a page needs: in the browser are its client components, and what they import. */
function parts(entry: string): { browser: string[]; server: string[] } {
  const browser = new Set<string>()
  const server = new Set<string>()
  const walk = (path: string, isClient: boolean) => {
    const goes = isClient || /^'use client'/.test(files.get(path) ?? '')
    const seen = goes ? browser : server
    if (seen.has(path)) return
    seen.add(path)
    for (const next of imports(path)) walk(next, goes)
  }
  walk(entry, false)
  return { browser: [...browser], server: [...server] }
}

function layoutOf(page: string): string | undefined {
  for (let folder = dirname(page); folder !== '.'; folder = dirname(folder)) {
    const layout = join(folder, 'layout.tsx')
    if (files.get(layout)?.includes('<ClientTexts')) return layout
  }
}

function providedTo(entry: string): Set<string> {
  const givers = [layoutOf(entry) ?? '', ...parts(entry).server]
  const given = givers.flatMap((path) => namesIn(/<ClientTexts\s+features=\{(\[.*?\])\}/gs, path))
  return new Set([...EVERYWHERE, ...given])
}

const entries = globSync('app/**/{page,layout,error,not-found}.tsx')

it('finds the pages and what they are given', () => {
  expect(entries.length).toBeGreaterThan(50)
  expect(providedTo('app/(dashboard)/reservations/page.tsx')).toContain('booking')
})

it.each(entries)('%s is given the texts that its client components use', (entry) => {
  const provided = providedTo(entry)
  const missing = parts(entry).browser.flatMap((path) =>
    [...(files.get(path) ?? '').matchAll(/useTranslations\('client\.(\w+)/g)]
      .map(([, feature]) => feature ?? '')
      .filter((feature) => !provided.has(feature))
      .map((feature) => `${feature}: ${path}`),
  )
  expect(missing).toEqual([])
})
