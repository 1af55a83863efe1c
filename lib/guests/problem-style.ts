/** The style of a problem's page: next.config.ts lets it in by its hash. */
export const PROBLEM_STYLE = `
  :root { color-scheme: light dark }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; font: 1rem/1.5 system-ui, sans-serif;
    text-align: center; background: light-dark(#f7f5f2, #161413); color: light-dark(#1f1b19, #f3efec) }
  main { max-width: 32rem; padding: 1.5rem }
  h1 { font-size: 1.375rem }
  a { color: light-dark(#933d2b, #e0a28f) }`
