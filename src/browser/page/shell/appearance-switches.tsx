import { useState } from 'react';
import { type Aspect, type Choice, getAppearance, setAppearance } from '../parts/appearance.ts';
import { Select } from '../parts/forms/field.tsx';

const themes = { system: 'as the system', light: 'light', dark: 'dark' } as const;

export function AppearanceSwitches() {
  return (
    <>
      <Switch aspect="theme" title="Theme" names={themes} />
      <Switch
        aspect="density"
        title="Density"
        names={{ comfortable: 'comfortable', compact: 'compact' }}
        className="density-switch"
      />
    </>
  );
}

interface SwitchProps<Of extends Aspect> {
  readonly aspect: Of;
  readonly title: string;
  readonly names: Readonly<Record<Choice<Of>, string>>;
  readonly className?: string;
}

function Switch<Of extends Aspect>({ aspect, title, names, className = '' }: SwitchProps<Of>) {
  const [choice, show] = useState(() => getAppearance(aspect));
  const choose = (chosen: Choice<Of>): void => {
    setAppearance(aspect, chosen);
    show(chosen);
  };
  return (
    <label className={`row row-apart row-firm soft ${className}`}>
      <span>{title}</span>
      <Select className="input-small" options={names} value={choice} onChange={choose} />
    </label>
  );
}
