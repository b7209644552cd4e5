/**
 * The configuration while it is edited. Edits are kept in this tab, so that a session that ends or a page that is loaded
 * again loses nothing; they go with the tab, or when they are sent.
 */
import { useMemo, useState } from 'react';
import { type ConfiguredRule, type DraftRule, readRule, toDraft } from './configuration.ts';

interface Edits {
  /** What was edited, to notice that it has changed in the meantime. */
  readonly base: string;
  readonly rules: readonly DraftRule[];
}

export interface Draft {
  readonly rules: readonly DraftRule[];
  /** Undefined while some text is no rule. */
  readonly configuration: readonly ConfiguredRule[] | undefined;
  readonly isEdited: boolean;
  /** The edits were made to something that is not there any more. */
  readonly isOutdated: boolean;
  readonly edit: (rules: readonly DraftRule[]) => void;
  readonly keep: () => void;
  readonly discard: () => void;
}

export function useDraft(name: string, rules: readonly ConfiguredRule[]): Draft {
  const storageKey = `gatehouse-draft-${name}`;
  const base = useMemo(() => JSON.stringify(rules), [rules]);
  const [edits, setEdits] = useState(() => loadEdits(storageKey));
  const store = (next: Edits | undefined): void => {
    setEdits(next);
    if (next === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(next));
  };
  const shown = useMemo(() => edits?.rules ?? toDraft(rules), [edits, rules]);
  return {
    rules: shown,
    configuration: useMemo(() => readConfiguration(shown), [shown]),
    isEdited: edits !== undefined,
    isOutdated: edits !== undefined && edits.base !== base,
    edit: (next) => store({ base: edits?.base ?? base, rules: next }),
    keep: () => edits !== undefined && store({ ...edits, base }),
    discard: () => store(undefined),
  };
}

function readConfiguration(rules: readonly DraftRule[]): readonly ConfiguredRule[] | undefined {
  const isReadable = rules.every(({ json }) => json === undefined || !('problem' in readRule(json)));
  return isReadable ? rules.map(({ rule }) => rule) : undefined;
}

function loadEdits(storageKey: string): Edits | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Edits | null;
    return stored !== null && Array.isArray(stored.rules) ? stored : undefined;
  } catch {
    return undefined;
  }
}
