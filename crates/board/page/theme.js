// Light or dark, as it was chosen last.

/** Is the page dark, by choice or because the system is? */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** @param {HTMLElement | null} button changes it */
export function installTheme(button) {
  const root = document.documentElement,
    kept = localStorage.getItem('theme');
  if (kept) root.dataset.theme = kept;
  button?.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
  });
}
