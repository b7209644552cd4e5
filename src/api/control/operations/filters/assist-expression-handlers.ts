/**
 * Helps an editor of expressions: errors and their places, completions, and the meaning of names. Nothing is stored.
 */
import {
  complete,
  type Completions,
  type Diagnostic,
  expressionCharactersMax,
  format,
  hover,
  type Hover,
  type Scheme,
  scheme,
  toJson,
} from '#expressions';
import { eventScheme, parseEventExpression } from '#events';
import { type CheckedExpression, checkExpression } from '#rulesets';
import { ok, type Result } from '#contract';
import type { ObjectsHandlers } from '../several-objects.ts';

export const assistExpressionHandlers: ObjectsHandlers<'expressions'> = {
  async 'expressions.assist'({ directory }, { path, body }) {
    const { expression, position, phase, about } = body;
    const { plan } = directory.zones.get(path['zone_id']!)!;
    const isSearch = about === 'events';
    const lists = isSearch ? new Map<string, never>() : directory.listKinds;
    const checked = isSearch
      ? parseEventExpression(expression)
      : checkExpression(expression, { plan, lists, ...(phase === undefined ? {} : { phase }) });
    // The parser only gets texts that could be stored: its time is bounded by their length.
    const cursor = expression.length > expressionCharactersMax ? undefined : position;
    return ok({
      diagnostics: listDiagnostics(expression, checked),
      ...(cursor === undefined
        ? { completions: { start: 0, end: 0, items: [] }, hover: null }
        : assistAt(expression, Math.min(cursor, expression.length), {
            scheme: isSearch ? eventScheme : scheme,
            lists: lists.keys(),
          })),
      formatted: checked.ok ? format(checked.tree) : null,
      tree: checked.ok ? toJson(checked.tree) : null,
    });
  },
};

interface Assistance {
  readonly completions: Omit<Completions, 'span'> & Completions['span'];
  readonly hover: (Omit<Hover, 'span'> & Hover['span']) | null;
}

function assistAt(
  expression: string,
  offset: number,
  known: { readonly scheme: Scheme; readonly lists: Iterable<string> },
): Assistance {
  const { span, items } = complete(expression, offset, known);
  const found = hover(expression, offset);
  return {
    completions: { ...span, items },
    hover: found === undefined ? null : { title: found.title, summary: found.summary, ...found.span },
  };
}

/** A refusal without a place in the expression applies to all of it. */
function listDiagnostics(
  expression: string,
  checked: CheckedExpression | ReturnType<typeof parseEventExpression>,
): Result<'expressions.assist'>['diagnostics'] {
  const found = findDiagnostics(checked);
  if (checked.ok || 'diagnostic' in checked || found.length > 0) {
    return found.map(({ severity, code, message, hint, span }) => ({
      severity,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...span,
    }));
  }
  const { kind, reason } = checked.fault;
  const code = kind.replaceAll(' ', '_');
  return [{ severity: 'error', code, message: reason, start: 0, end: expression.length }];
}

function findDiagnostics(
  checked: CheckedExpression | ReturnType<typeof parseEventExpression>,
): readonly Diagnostic[] {
  if (checked.ok) return 'warnings' in checked ? checked.warnings : [];
  const { diagnostic } = 'fault' in checked ? checked.fault : checked;
  return diagnostic === undefined ? [] : [diagnostic];
}
