/**
 * Whether an expression may stand where a client puts it: readable, of the phase, within the plan, over lists that exist
 * and fit. One check serves filters and rulesets; they only word what is wrong differently, because clients match both.
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
import { type Plan } from './plans/plans.ts';
import { entitlementsOf } from './plans/entitlements.ts';
import { findMisfitList, type ListKind } from './list-kinds.ts';
import type { Level } from './phases.ts';
import { includesPlan, notEntitled } from './plans/plans.ts';

export interface ExpressionContext {
  readonly plan: Plan;
  /** By name, without `$`. */
  readonly lists: ReadonlyMap<string, ListKind>;
  /** `zone` if not given. */
  readonly level?: Level;
  /** Filters stand in no phase: they are judged with the request's head and body at hand. */
  readonly phase?: string;
}

export type ExpressionFaultKind = 'blank' | 'invalid' | 'not entitled';

export interface ExpressionFault {
  readonly kind: ExpressionFaultKind;
  /** The whole message, as the filters interface words it. */
  readonly filterText: string;
  /** The end of a sentence, as the rulesets interface words it. */
  readonly reason: string;
  /** Undefined if the expression as a whole is refused, and no place in it. */
  readonly diagnostic?: Diagnostic;
}

export type CheckedExpression =
  | { readonly ok: true; readonly tree: Filter; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** Rules of an account are judged for each of its zones, and see which plan the zone is on. */
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
  // What is too long is not worth repeating with a caret below each character.
  if (diagnostic.code === 'length_limit') return refuse('invalid', `the ${diagnostic.message}`);
  const printed = printDiagnostic(text, diagnostic).trimEnd();
  const [title = '', line = ''] = printed.split('\n', 2);
  const carets = printed.slice(title.length + line.length + 2);
  return {
    ok: false,
    fault: {
      kind: 'invalid',
      reason: `could not parse filter expression: ${printed}`,
      // The carets move by the width of the backtick.
      filterText: `Filter parsing error:\n\`${line}\`\n ${carets}\n`,
      diagnostic,
    },
  };
}
