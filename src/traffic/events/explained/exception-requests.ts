/** The API requests that make up exceptions, each for the current configuration of a zone. */
import { bytesOf } from '#text';
import { quoteBytes } from '#expressions';
import type { Ruleset, RulesetRule } from '#rulesets';
import type { ZoneConfiguration } from '#firewall';
import { pathCharactersKept } from '../limits.ts';
import type { FoundMatch } from '../judged/judged.ts';

export interface ExceptionRequest {
  readonly method: 'PATCH' | 'POST' | 'PUT';
  /** Relative to the base URL of the API. */
  readonly path: string;
  readonly body: object | readonly object[];
}

/** A rule that should ignore certain requests. */
export interface ExceptedRule {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  /** The rules that add up to its score: those are the ones to switch off. */
  readonly contributors?: readonly string[] | undefined;
  /** Where the rule matched. */
  readonly found?: readonly FoundMatch[] | undefined;
}

export interface ExceptedRequest {
  readonly host: string;
  /** As rules see it, perhaps truncated. */
  readonly path: string;
}

interface SkipRule {
  readonly expression: string;
  readonly parameters: object;
  readonly position: object;
}

const description = 'Exception made from the activity log';

export class ExceptionRequests {
  readonly #zone: string;
  readonly #account: string;

  constructor({ zone }: ZoneConfiguration) {
    this.#zone = `/zones/${zone.id}`;
    this.#account = `/accounts/${zone.accountId}`;
  }

  addFirewallRule(expression: string, rule: object): ExceptionRequest {
    return this.#send('POST', '/firewall/rules', [{ filter: { expression }, ...rule, description }]);
  }

  /** Without an expression, the rule ignores all requests. */
  exceptFromFirewallRule(ruleId: string, expression?: string): ExceptionRequest {
    const body = expression === undefined ? {} : { expression };
    return this.#send('POST', `/firewall/rules/${ruleId}/exceptions`, body);
  }

  bypassLegacyRules(expression: string): ExceptionRequest {
    return this.addFirewallRule(expression, { action: 'bypass', products: ['waf'] });
  }

  overrideLegacyRules(request: ExceptedRequest, ruleIds: readonly string[]): ExceptionRequest {
    return this.#send('POST', '/firewall/waf/overrides', {
      urls: urlPatternsFor(request),
      rules: Object.fromEntries(ruleIds.map((id) => [id, 'disable'])),
      description,
    });
  }

  /** Rules that add to a score have other modes than rules that decide alone. */
  switchOffLegacyRules({ rulesetId, ruleId, contributors }: ExceptedRule): readonly ExceptionRequest[] {
    const mode = contributors === undefined ? 'disable' : 'off';
    return (contributors ?? [ruleId]).map((id) =>
      this.#send('PATCH', `/firewall/waf/packages/${rulesetId}/rules/${id}`, { mode }),
    );
  }

  addSkip(ruleset: Ruleset, { expression, parameters, position }: SkipRule): ExceptionRequest {
    const body = {
      action: 'skip',
      action_parameters: parameters,
      expression,
      description,
      logging: { enabled: true },
      position,
    };
    return { method: 'POST', path: `${this.#getPath(ruleset)}/rules`, body };
  }

  /** Replaces the whole rule, except for what only the server sets. */
  changeRule(ruleset: Ruleset, rule: RulesetRule, changes: Partial<RulesetRule>): ExceptionRequest {
    const ofServer = new Set(['id', 'version', 'last_updated']);
    const content = Object.entries(rule).filter(([name]) => !ofServer.has(name));
    const body = { ...Object.fromEntries(content), ...changes };
    return { method: 'PATCH', path: `${this.#getPath(ruleset)}/rules/${rule.id}`, body };
  }

  letUnreadablePass(): ExceptionRequest {
    return this.#send('PUT', '/edge', { over_inspection_limit: 'log' });
  }

  #getPath({ id, kind }: Ruleset): string {
    return `${kind === 'zone' ? this.#zone : this.#account}/rulesets/${id}`;
  }

  #send(method: ExceptionRequest['method'], path: string, body: ExceptionRequest['body']): ExceptionRequest {
    return { method, path: `${this.#zone}${path}`, body };
  }
}

/** With and without a query. A star matches any text, so a path that contains one is cut before it. */
function urlPatternsFor({ host, path }: ExceptedRequest): readonly string[] {
  const star = path.indexOf('*');
  if (star >= 0 || path.length >= pathCharactersKept)
    return [`${host}${path.slice(0, star >= 0 ? star : undefined)}*`];
  return [`${host}${path}`, `${host}${path}?*`];
}

/** The expression that matches requests to the host and path of a request. */
export function writeExpression(request: ExceptedRequest): string {
  return writeScope(request, request.path.length < pathCharactersKept ? 'is' : 'begins');
}

/** The requests to a host whose path is, or starts with, the given one. */
export function writeScope({ host, path }: ExceptedRequest, comparison: 'is' | 'begins'): string {
  const [quotedHost, quotedPath] = [host, path].map((text) => quoteBytes(bytesOf(text)));
  return comparison === 'is'
    ? `http.host eq ${quotedHost} and http.request.uri.path eq ${quotedPath}`
    : `http.host eq ${quotedHost} and starts_with(http.request.uri.path, ${quotedPath})`;
}
