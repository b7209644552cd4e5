/**
 * The edits of a deployment that are not saved yet. They belong to the version of the entry point that the reader saw: if
 * there is another one in between, the draft is kept and says so, and only the reader decides what happens to it.
 */
import { useState } from 'react';
import { type Overrides, tidyOverrides } from './overrides.ts';
import type { EntryPoint, ExecuteRule } from '../ruleset-api.ts';

interface Content {
  readonly expression: string;
  readonly overrides: Overrides;
}

export interface Draft extends Content {
  readonly isChanged: boolean;
  /** Somebody else has saved since the first edit. */
  readonly isStale: boolean;
  /** What the draft was made from. */
  readonly seen: EntryPoint | null;
  readonly edit: (change: Partial<Content>) => void;
  readonly discard: () => void;
  /** Keeps the edits and takes the current version as seen. */
  readonly adopt: () => void;
}

export function useDraft(entryPoint: EntryPoint | null, rule: ExecuteRule): Draft {
  const saved: Content = { expression: rule.expression, overrides: rule.action_parameters.overrides ?? {} };
  const [edited, setEdited] = useState<Content & { readonly seen: EntryPoint | null }>();
  const current = edited ?? { ...saved, seen: entryPoint };
  return {
    ...current,
    isChanged: edited !== undefined && write(edited) !== write(saved),
    isStale: edited !== undefined && edited.seen?.version !== entryPoint?.version,
    edit: (change) => setEdited({ ...current, ...change }),
    discard: () => setEdited(undefined),
    adopt: () => setEdited({ ...current, seen: entryPoint }),
  };
}

function write({ expression, overrides }: Content): string {
  return JSON.stringify([expression, tidyOverrides(overrides)]);
}
