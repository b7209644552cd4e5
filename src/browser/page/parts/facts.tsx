import type { ReactNode } from 'react';
import { joinClasses } from './join-classes.ts';

interface FactsProps {
  readonly facts: readonly (readonly [term: string, fact: ReactNode])[];
  /** The terms are beside the facts, not above them. */
  readonly isBeside?: boolean;
}

/** Terms with their values; those without a value are omitted. */
export function Facts({ facts, isBeside = false }: FactsProps) {
  return (
    <dl className={joinClasses('facts', isBeside && 'facts-beside')}>
      {facts
        .filter(([, fact]) => fact !== undefined && fact !== '')
        .map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  );
}
