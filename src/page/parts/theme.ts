/** Light, dark, or what the system says; kept in this browser. */
export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'gatehouse-theme';

export function getTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = getTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
