/** The style of a problem's page: next.config.ts lets it in by its hash. */
export const PROBLEM_STYLE = `
  :root { color-scheme: light dark }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; font: 1rem/1.5 system-ui, sans-serif;
    text-align: center; background: light-dark(#f7f5f2, #161413); color: light-dark(#1f1b19, #f3efec) }
  main { max-width: 32rem; padding: 1.5rem }
  h1 { font-size: 1.375rem }
  a { color: light-dark(#933d2b, #e0a28f) }
  nav { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: center; margin-top: 2rem; font-size: .875rem }
  nav a { padding: .5rem 0; color: inherit }
  nav a[aria-current] { font-weight: 600; text-decoration: none }`
