import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

export function Pill({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`pill pill-${tone}`}>{children}</span>;
}

interface StatePillProps {
  readonly isOn: boolean;
  /** The words for on and off. */
  readonly words: readonly [on: string, off: string];
  /** The tone of the state off. */
  readonly off?: Tone;
}

export function StatePill({ isOn, words: [on, otherwise], off = 'neutral' }: StatePillProps) {
  return <Pill tone={isOn ? 'good' : off}>{isOn ? on : otherwise}</Pill>;
}

const toneOfAction: Readonly<Record<string, Tone>> = {
  block: 'bad',
  challenge: 'warn',
  js_challenge: 'warn',
  managed_challenge: 'warn',
  log: 'info',
  simulate: 'info',
  allow: 'good',
  skip: 'good',
  bypass: 'good',
};

/** An action of a rule, in its colour. */
export function ActionPill({ action }: { readonly action: string }) {
  return <Pill tone={toneOfAction[action] ?? 'neutral'}>{action.replaceAll('_', ' ')}</Pill>;
}
