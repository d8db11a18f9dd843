// Light or dark, as it was chosen last.

/** @param {HTMLElement | null} button changes it */
export function installTheme(button) {
  const root = document.documentElement,
    kept = localStorage.getItem('theme');
  if (kept) root.dataset.theme = kept;
  button?.addEventListener('click', () => {
    const dark =
      root.dataset.theme === 'dark' || (!root.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
    root.dataset.theme = dark ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
  });
}
