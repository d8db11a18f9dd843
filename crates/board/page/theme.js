// Light or dark, as it was chosen last.

import { keep, kept } from './kept.js';

/** Is the page dark, by choice or because the system is? */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** @param {HTMLElement | null} button changes it */
export function installTheme(button) {
  const root = document.documentElement,
    theme = kept('theme');
  if (theme) root.dataset.theme = theme;
  button?.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    keep('theme', root.dataset.theme);
  });
}
