import { useState } from 'react';
import { Select } from '../parts/forms/field.tsx';
import { getTheme, setTheme, type Theme } from '../parts/theme.ts';

const names: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

export function ThemeSwitch() {
  const [theme, show] = useState(getTheme);
  const choose = (chosen: Theme): void => {
    setTheme(chosen);
    show(chosen);
  };
  return (
    <label className="row row-apart soft">
      <span>Theme</span>
      <Select className="input-small" options={names} value={theme} onChange={choose} />
    </label>
  );
}
