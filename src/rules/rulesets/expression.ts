/**
 * Checks whether an expression is permitted where a client uses it: valid, available in the phase, within the plan, and
 * with lists that exist and fit. Filters and rulesets share one check; only the wording of problems differs, because
 * clients match both.
 */
import {
  bytesType,
  checkPhase,
  defineField,
  type Diagnostic,
  type Filter,
  phases as phasesOfRules,
  printDiagnostic,
  readExpression,
  scheme,
} from '#expressions';
import { type Plan, includesPlan, notEntitled } from './plans/plans.ts';
import { entitlementsOf } from './plans/entitlements.ts';
import { findMisfitList, type ListKind } from './list-kinds.ts';
import type { Level } from './phases.ts';

export interface ExpressionContext {
  readonly plan: Plan;
  /** By name, without `$`. */
  readonly lists: ReadonlyMap<string, ListKind>;
  /** `zone` by default. */
  readonly level?: Level;
  /** Filters have no phase: they are judged with the request's head and body available. */
  readonly phase?: string;
}

export type ExpressionFaultKind = 'blank' | 'invalid' | 'not entitled';

interface ExpressionFault {
  readonly kind: ExpressionFaultKind;
  /** The whole message, in the wording of the filters API. */
  readonly filterText: string;
  /** The end of a sentence, in the wording of the rulesets API. */
  readonly reason: string;
  /** Undefined if the expression as a whole is refused, rather than a place in it. */
  readonly diagnostic?: Diagnostic;
}

export type CheckedExpression =
  | { readonly ok: true; readonly tree: Filter; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** Rules of an account are judged for each of its zones, and can read the zone's plan. */
export const accountScheme = scheme.with({
  fields: [
    defineField('cf.zone.plan', bytesType, { summary: 'The plan of the zone: FREE, PRO, BIZ or ENT.' }),
  ],
});

/** Filters are evaluated with the custom rules. */
const filterPhase = 'http_request_firewall_custom';

export function checkExpression(text: string, context: ExpressionContext): CheckedExpression {
  if (text.trim() === '') return refuse('blank', 'the expression cannot be blank');
  const parsed = readExpression(text, {
    scheme: context.level === 'account' ? accountScheme : scheme,
    lists: context.lists.keys(),
  });
  if (!parsed.ok) return refuseDiagnostic(text, parsed.error);
  const { tree, warnings } = parsed;
  const { phase = filterPhase, lists, plan } = context;
  const [misplaced] = Object.hasOwn(phasesOfRules, phase) ? checkPhase(tree, phase) : [];
  if (misplaced !== undefined) return refuseDiagnostic(text, misplaced);
  const misfit = findMisfitList(tree, lists, phase);
  if (misfit !== undefined) return refuse('invalid', misfit);
  const missing = entitlementsOf(tree).find((entitlement) => !includesPlan(plan, entitlement.plan));
  if (missing === undefined) return { ok: true, tree, warnings };
  return refuse('not entitled', notEntitled(missing.summary, { plan, needed: missing.plan }));
}

function refuse(kind: ExpressionFaultKind, reason: string): CheckedExpression {
  return { ok: false, fault: { kind, reason, filterText: reason } };
}

function refuseDiagnostic(text: string, diagnostic: Diagnostic): CheckedExpression {
  // A text that is too long is not repeated with a caret below each character.
  if (diagnostic.code === 'length_limit') return refuse('invalid', `the ${diagnostic.message}`);
  const printed = printDiagnostic(text, diagnostic).trimEnd();
  const [title = '', line = ''] = printed.split('\n', 2);
  const carets = printed.slice(title.length + line.length + 2);
  return {
    ok: false,
    fault: {
      kind: 'invalid',
      reason: `could not parse filter expression: ${printed}`,
      // The carets shift by the width of the backtick.
      filterText: `Filter parsing error:\n\`${line}\`\n ${carets}\n`,
      diagnostic,
    },
  };
}
