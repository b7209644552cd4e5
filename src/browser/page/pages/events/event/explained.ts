/** An event with the reasons for it, as the API explains it. */
import type { Result } from '#client';
import type { JudgedRule } from '../../../api/types.ts';

export type Explained = Result<'security.explain'>;

export function findRule({ event, explanation }: Explained): JudgedRule | undefined {
  return explanation?.rules.find(
    ({ ruleId, rulesetId, action }) =>
      ruleId === event.ruleId && rulesetId === event.rulesetId && action === event.action,
  );
}
