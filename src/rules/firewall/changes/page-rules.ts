/**
 * Page rules that redirect (`forwarding_url`) or choose another origin (`host_header_override`, `resolve_override`). Of
 * all active page rules, only the first that matches applies, so a page rule with another effect can hide these. `$1`
 * in the target of a redirect is what the first star matched.
 */
import { bytesOf } from '#text';
import type { RequestView } from '#expressions';
import { listPagePatternStars } from '#rulesets';
import type { ConfiguredPageSettings } from '../configuration.ts';
import { compilePattern, type RequestPredicate } from '../request-predicate.ts';
import type { JudgingRun } from '../run.ts';
import type { Effect } from './change.ts';
import { compileField, type ValueOf } from './given-value.ts';
import { redirect } from './redirects.ts';
import { checkRouteText } from './routes.ts';

interface CompiledPageRule extends Pick<ConfiguredPageSettings, 'id' | 'pattern' | 'forward' | 'route'> {
  readonly isMatch: RequestPredicate;
  /** The text that each star of the pattern matched. */
  readonly stars: readonly ValueOf[];
}

export class PageRules {
  readonly #pages: readonly CompiledPageRule[];

  private constructor(pages: readonly CompiledPageRule[]) {
    this.#pages = pages;
  }

  /** Empty if no page rule changes requests. */
  static create(rules: readonly ConfiguredPageSettings[] = []): PageRules[] {
    if (rules.every(({ forward, route }) => forward === undefined && route === undefined)) return [];
    return [new PageRules(rules.map(toPage))];
  }

  run(run: JudgingRun): void {
    const page = this.#pages.find(({ isMatch }) => isMatch(run.view));
    const effect = page && act(page, run.view);
    if (effect === undefined) return;
    const { id: ruleId, pattern: description } = page!;
    run.change({ source: 'pagerule', phase: '', ruleId, rulesetId: '', ref: '', description, effect });
  }
}

function act({ forward, route, stars }: CompiledPageRule, view: RequestView): Effect | undefined {
  if (forward !== undefined) {
    const target = bytesOf(forward.url).replaceAll(
      /\$([1-9])/g,
      (whole, number) => stars[Number(number) - 1]?.(view) ?? whole,
    );
    return redirect(view, { target, status: forward.statusCode, keepsQuery: false });
  }
  return route && { kind: 'route', ...route };
}

function toPage({ id, pattern, forward, route }: ConfiguredPageSettings): CompiledPageRule {
  const stars = forward === undefined ? [] : listPagePatternStars(pattern).map(compileField);
  const isMatch = compilePattern(pattern);
  return { id, pattern, isMatch, stars, ...(forward && { forward }), ...(isRoute(route) && { route }) };
}

/** A name that was stored before it was checked has no effect. */
function isRoute(route: ConfiguredPageSettings['route']): route is NonNullable<typeof route> {
  if (route === undefined) return false;
  try {
    checkRouteText(route);
    return true;
  } catch {
    return false;
  }
}
