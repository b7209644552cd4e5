/**
 * The page in the Referer of a request, as managed rules judge it: like the request for that page. An exception for the
 * page also applies to the Referer of the page's own parts, and a page that would be stopped also stops requests with
 * it as Referer.
 *
 * Judging the page takes a run of all rules. Nearly every address matches no managed rule at all, whatever the zone has
 * configured, and recurring ones are cached; only addresses with a match are judged.
 */
import { copyBytes, Recurrence, sampleText } from '#text';
import { compile, type Filter, type PartName, type ReferredRequest, type RequestView } from '#expressions';
import type { CatalogueRule, CataloguePackageRule, ScoringProgram } from './managed-catalogue.ts';
import type { Contribution, ExhaustedRule, Triggered } from './judgement.ts';
import type { RuleProgram } from './programs/rule-program.ts';

/** The key of a rule among the rules of all rulesets and packages. */
export function toKey({ rulesetId, ruleId }: Pick<Triggered, 'rulesetId' | 'ruleId'>): string {
  return `${rulesetId}\n${ruleId}`;
}

/** A request and the results of its rules: a `Run`. */
interface JudgedRequest {
  readonly view: RequestView;
  readonly triggered: readonly Triggered[];
  readonly found: ReadonlySet<string>;
  readonly exhausted: ExhaustedRule | undefined;
  leaveOut(parts: readonly PartName[]): RequestView;
}

type JudgePage = (page: RequestView) => JudgedRequest;

const referer = [{ kind: 'header', name: 'referer' }];

type ManagedProgram = RuleProgram<CatalogueRule> | RuleProgram<CataloguePackageRule>;

export class ReferredPage {
  readonly #request: JudgedRequest;
  readonly #page: ReferredRequest<RequestView>;
  readonly #judge: JudgePage;
  #view: RequestView | undefined;
  #judged: JudgedRequest | undefined;

  private constructor(request: JudgedRequest, page: ReferredRequest<RequestView>, judge: JudgePage) {
    this.#request = request;
    this.#page = page;
    this.#judge = judge;
  }

  /** Undefined if the request has no such Referer. */
  static find(request: JudgedRequest, judge: JudgePage): ReferredPage | undefined {
    const page = request.view.referredPage();
    return page && new ReferredPage(request, page, judge);
  }

  /** As the same client would request it. */
  get view(): RequestView {
    return (this.#view ??= this.#page.create('whole')!);
  }

  /** Whether a rule has matched the request only because of its Referer, and an exception of the page covers that. */
  covers(rule: Pick<Triggered, 'rulesetId' | 'ruleId'>, filter: Filter): boolean {
    const matches = compileOnce(filter);
    return !matches(this.#request.leaveOut(referer)) && matches(this.view) && !this.#finds(rule);
  }

  /** The matches of rules in the request, without those that exceptions of the page cover. */
  dropCovered(
    rulesetId: string,
    contributions: readonly Contribution[],
    scoring: ScoringProgram | undefined,
  ): readonly Contribution[] {
    const open = contributions.filter(({ ruleId }) => !this.#finds({ rulesetId, ruleId }));
    if (open.length === 0) return contributions;
    const list = (view: RequestView): ReadonlySet<string> =>
      new Set(scoring?.judge(view).findings.map(({ ruleId }) => ruleId));
    const [without, within] = [list(this.#request.leaveOut(referer)), list(this.view)];
    return contributions.filter((each) => {
      const { ruleId, filter } = each;
      if (!open.includes(each)) return true;
      return filter === undefined
        ? without.has(ruleId) || !within.has(ruleId)
        : !this.covers({ rulesetId, ruleId }, filter);
    });
  }

  /**
   * The results of the rules of a program for the request for the page, except rules about the page's own address: they
   * restrict who may request it, and a Referer does not request it.
   */
  listTriggered(program: ManagedProgram, rulesetId: string): readonly Triggered[] {
    if (isHarmless(program, this.#page)) return [];
    const named = this.#page.create('name');
    return this.#run().triggered.filter(
      ({ rulesetId: of, filter }) =>
        of === rulesetId && !(named !== undefined && filter !== undefined && compileOnce(filter)(named)),
    );
  }

  /** The rule in which judging the page was given up. */
  get exhausted(): ExhaustedRule | undefined {
    return this.#judged?.exhausted;
  }

  #run(): JudgedRequest {
    return (this.#judged ??= this.#judge(this.view));
  }

  #finds(rule: Pick<Triggered, 'rulesetId' | 'ruleId'>): boolean {
    return this.#run().found.has(toKey(rule));
  }
}

const predicates = new WeakMap<Filter, ReturnType<typeof compile>>();

/** Few rules are ever evaluated. */
function compileOnce(filter: Filter): ReturnType<typeof compile> {
  let predicate = predicates.get(filter);
  if (predicate === undefined) predicates.set(filter, (predicate = compile(filter)));
  return predicate;
}

/** By program, the addresses of pages that none of its rules matches, whether or not it is in force. */
const harmless = new WeakMap<ManagedProgram, Set<string>>();
const harmlessMax = 4_000;
/** Longer addresses seldom recur. */
const addressCharactersMax = 1_200;
const recurrence = new Recurrence();

function isHarmless(program: ManagedProgram, { address, create }: ReferredRequest<RequestView>): boolean {
  let known = harmless.get(program);
  if (known?.has(address) === true) return true;
  let isMatched = false;
  program.list.run(create('bare')!, () => {
    isMatched = true;
    return false;
  });
  if (!isMatched && address.length <= addressCharactersMax && recurrence.comesAgain(sampleText(address))) {
    if (known === undefined) harmless.set(program, (known = new Set()));
    if (known.size >= harmlessMax) known.clear();
    known.add(copyBytes(address));
  }
  return !isMatched;
}
