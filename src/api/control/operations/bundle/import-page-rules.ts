/** Imports the page rules of a bundle, which lists the strongest first. */
import { isDeepStrictEqual } from 'node:util';
import { formatPagePattern, readPagePattern } from '#rulesets';
import type { ZoneContext } from '../../context/handler.ts';
import { addIdlePageRuleMessages } from '../../migration/notes.ts';
import { pageRuleHandlers } from '../page-rules/page-rule-handlers.ts';
import { findByPatternKey, pageRuleTable } from '../../stores/page-rules.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin } from './import-run.ts';
import { toPageRuleContent } from './zone-bundle.ts';

type GivenPageRule = NonNullable<Bundle['page_rules']>[number];

export function importPageRules(run: ImportRun, given: readonly GivenPageRule[]): void {
  const { context, mode } = run;
  const tally = run.getTally('page_rules');
  if (mode === 'replace') {
    const own = pageRuleTable.list(context.sql);
    if (isDeepStrictEqual(own.map(toPageRuleContent), given.map(normalisePageRule))) {
      tally.kept = own.length;
      return;
    }
    for (const { id } of own) {
      pageRuleHandlers['pageRules.delete'](context, {
        path: { pagerule_id: id },
        query: {},
        body: undefined,
      });
    }
    tally.removed = own.length;
  }
  // Of rules with equal priority, the one created later is the stronger one.
  for (const [index, body] of [...given.entries()].toReversed()) {
    const isThere = mode === 'merge' && hasPattern(context, body);
    if (!isThere) {
      runWithin(`/page_rules/${index}`, () =>
        pageRuleHandlers['pageRules.create'](context, { path: {}, query: {}, body }),
      );
    }
    tally[isThere ? 'kept' : 'added']++;
  }
  if (tally.added > 0) addIdlePageRuleMessages(context, pageRuleTable.list(context.sql));
}

function normalisePageRule({ targets, actions, priority = 1, status = 'disabled' }: GivenPageRule) {
  return { targets, actions, priority, status };
}

function hasPattern({ sql }: ZoneContext, { targets }: GivenPageRule): boolean {
  const read = readPagePattern(targets[0]!.constraint.value);
  return read.ok && findByPatternKey(sql, formatPagePattern(read.pattern)) !== undefined;
}
