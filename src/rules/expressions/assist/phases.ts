/**
 * The fields and functions that each phase permits. The grammar has no phases: a phase is a step in the processing of a
 * request.
 */
import type { Filter, ValueExpression } from '../ast.ts';
import { type Diagnostic, type SpannedProblem, locate } from '../diagnostic.ts';
import type { Stage } from '../field.ts';
import { walk } from './walk.ts';

/** In the order of processing; each phase can read the fields of the phases before it. */
export const phases: Readonly<Record<string, Stage>> = {
  http_request_sanitize: 'request',
  http_request_dynamic_redirect: 'request',
  http_request_transform: 'request',
  http_config_settings: 'request',
  http_request_origin: 'request',
  http_request_firewall_custom: 'body',
  http_ratelimit: 'body',
  http_request_firewall_managed: 'body',
  http_request_sbfm: 'request',
  gatehouse_ask: 'request',
  http_request_redirect: 'request',
  http_request_late_transform: 'request',
  http_request_cache_settings: 'request',
  http_request_snippets: 'request',
  http_custom_errors: 'response',
  http_response_headers_transform: 'response',
  http_response_compression: 'response',
  http_response_firewall_managed: 'response',
  http_log_custom_fields: 'response',
};

const stagesSeen: Readonly<Record<Stage, readonly Stage[]>> = {
  request: ['request'],
  body: ['request', 'body'],
  response: ['request', 'response'],
};

/**
 * The parts of an expression that the phase does not permit: fields of a later stage, and functions for the other kind
 * of expression.
 */
export function checkPhase(tree: Filter | ValueExpression, phase: string): readonly Diagnostic[] {
  const stage = phases[phase];
  if (stage === undefined) throw new RangeError(`checkPhase needs a phase of the table: ${phase}`);
  const use = tree.kind === 'filter' ? 'filter' : 'rewrite';
  const findings: SpannedProblem[] = [];
  for (const node of walk(tree)) {
    if (node.kind === 'comparison') continue;
    const { root } = node;
    const { span } = root;
    if (root.kind === 'field' && !stagesSeen[stage].includes(root.field.stage)) {
      const message = `${root.field.name} is not available in ${phase}`;
      findings.push({ severity: 'error', code: 'phase', message, span });
    }
    if (root.kind === 'call' && !root.function.uses.includes(use)) {
      const where = use === 'filter' ? 'a match expression' : 'a rewrite';
      findings.push({
        severity: 'error',
        code: 'phase',
        message: `${root.function.name} is not available in ${where}`,
        span,
      });
    }
  }
  return findings.map((finding) => locate(tree.source, finding));
}
