/**
 * Page rules that redirect (`forwarding_url`). Of all page rules that are active, only the first that matches applies, so
 * one that does something else can stand before one that redirects. `$1` in the target is what the first star matched.
 */
import { bytesOf } from '#base';
import { listPagePatternStars } from '../../page-rule-pattern.ts';
import type { ConfiguredPageSettings } from '../configuration.ts';
import { compilePattern, type RequestPredicate } from '../request-predicate.ts';
import type { Run } from '../run.ts';
import { compileField, type ValueOf } from './given-value.ts';
import { redirect } from './redirects.ts';

interface Page {
  readonly id: string;
  readonly pattern: string;
  readonly isMatch: RequestPredicate;
  readonly forward: ConfiguredPageSettings['forward'];
  /** What each star of the pattern matched. */
  readonly stars: readonly ValueOf[];
}

export class PageForwards {
  readonly #pages: readonly Page[];

  private constructor(pages: readonly Page[]) {
    this.#pages = pages;
  }

  /** None if no page rule redirects. */
  static create(rules: readonly ConfiguredPageSettings[] = []): PageForwards[] {
    if (rules.every(({ forward }) => forward === undefined)) return [];
    return [new PageForwards(rules.map(toPage))];
  }

  run(run: Run): void {
    const page = this.#pages.find(({ isMatch }) => isMatch(run.view));
    if (page?.forward === undefined) return;
    const { url, statusCode } = page.forward;
    const target = bytesOf(url).replaceAll(
      /\$([1-9])/g,
      (whole, number) => page.stars[Number(number) - 1]?.(run.view) ?? whole,
    );
    const effect = redirect(run.view, { target, status: statusCode, keepsQuery: false });
    run.change({
      source: 'pagerule',
      phase: '',
      ruleId: page.id,
      rulesetId: '',
      ref: '',
      description: page.pattern,
      effect,
    });
  }
}

function toPage({ id, pattern, forward }: ConfiguredPageSettings): Page {
  const stars = forward === undefined ? [] : listPagePatternStars(pattern).map(compileField);
  return { id, pattern, isMatch: compilePattern(pattern), forward, stars };
}
