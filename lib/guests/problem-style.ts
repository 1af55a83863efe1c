/** The style of a problem's page: next.config.ts lets it in by its hash. */
export const PROBLEM_STYLE = `
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; color-scheme: light dark;
    font: 1rem/1.5 system-ui, sans-serif; text-align: center }
  main { max-width: 32rem; padding: 1.5rem }`
