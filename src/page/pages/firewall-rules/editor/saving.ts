/** Saves the draft of a rule, unless somebody else has changed the rule in between. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tell } from '../../../parts/toasts.tsx';
import {
  ChangedInBetween,
  createRule,
  type FirewallRule,
  replaceRule,
  type RuleDraft,
} from '../rules-api.ts';
import type { useStoredDraft } from '../stored-draft.ts';

interface SavingOptions {
  readonly zoneId: string;
  readonly stored: ReturnType<typeof useStoredDraft<RuleDraft, FirewallRule | undefined>>;
  readonly onClose: () => void;
}

export type Saving = ReturnType<typeof useSaving>;
export type StoredRule = SavingOptions['stored'];

export function useSaving({ zoneId, stored, onClose }: SavingOptions) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<ChangedInBetween>();
  const refresh = (): Promise<unknown> =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['firewall-rules', zoneId] }),
      queries.invalidateQueries({ queryKey: ['filters', zoneId] }),
    ]);
  const save = async (seen: FirewallRule | undefined): Promise<void> => {
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      await (seen === undefined ? createRule(zoneId, stored.draft) : replaceRule(zoneId, seen, stored.draft));
      stored.discard();
      await refresh();
      tell('Rule saved');
      onClose();
    } catch (failure) {
      if (failure instanceof ChangedInBetween) setConflict(failure);
      else setError(failure);
      setBusy(false);
    }
  };
  return { isBusy, error, conflict, save, forgetConflict: () => setConflict(undefined) };
}
