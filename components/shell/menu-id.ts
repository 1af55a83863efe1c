/** The navigation's id in the document, for the button that unfolds it. */
export const MENU_ID = 'main-nav'
