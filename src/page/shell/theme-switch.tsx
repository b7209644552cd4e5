import { useState } from 'react';
import { getTheme, setTheme, type Theme } from '../parts/theme.ts';

export function ThemeSwitch() {
  const [theme, show] = useState(getTheme);
  return (
    <label className="theme-switch">
      <span>Theme</span>
      <select
        className="input input-small"
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme;
          setTheme(chosen);
          show(chosen);
        }}
      >
        <option value="system">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}
