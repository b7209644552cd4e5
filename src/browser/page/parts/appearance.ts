/** The appearance of the page in this browser: its theme, which the system may choose, and its density. */
const choices = {
  theme: { values: ['system', 'light', 'dark'], storageKey: 'gatehouse-theme' },
  density: { values: ['comfortable', 'compact'], storageKey: 'gatehouse-density' },
} as const;

type Appearance = typeof choices;
export type Aspect = keyof Appearance;
export type Choice<Of extends Aspect> = Appearance[Of]['values'][number];

/** The first one is the default. */
export function getAppearance<Of extends Aspect>(aspect: Of): Choice<Of> {
  const { values, storageKey } = choices[aspect];
  const stored = localStorage.getItem(storageKey);
  return values.find((value) => value === stored) ?? values[0];
}

export function setAppearance<Of extends Aspect>(aspect: Of, choice: Choice<Of>): void {
  localStorage.setItem(choices[aspect].storageKey, choice);
  applyAppearance();
}

/** Style sheets read it from the root element. */
export function applyAppearance(): void {
  for (const aspect of Object.keys(choices) as Aspect[]) {
    const choice = getAppearance(aspect);
    const { dataset } = document.documentElement;
    if (choice === choices[aspect].values[0]) delete dataset[aspect];
    else dataset[aspect] = choice;
  }
}
