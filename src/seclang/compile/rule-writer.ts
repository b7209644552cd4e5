/** Turns what a directive says into a rule: names looked up, patterns compiled, defaults of the phase applied. */
import { didYouMean } from '#base';
import { actions } from '../actions/actions.ts';
import { createDraft, type RuleDraft } from '../actions/action.ts';
import type { Disruption, Link, LinkTest, Rule } from '../model.ts';
import type { Phase } from '../phase.ts';
import type { OperatorContext } from '../operators/operator.ts';
import { operators } from '../operators/operators.ts';
import { type Place, SecLangError } from '../problem.ts';
import { readActionList } from '../read/action-list.ts';
import { describeTargets, type Target, type Targets } from '../read/targets.ts';
import { Template } from '../template.ts';
import { ChainTable } from '../transformations/chain.ts';
import { transformations } from '../transformations/transformations.ts';
import { isKnownVariable, volatileVariables } from '../variables/variables.ts';
import { PrefilterBuilder } from '../prefilter.ts';

/** What stands in the file, before it is compiled: later directives may still change it. */
export interface WrittenLink {
  readonly place: Place;
  /** `undefined` for SecAction. */
  targets: Targets | undefined;
  readonly operatorText: string;
  /** The whole directive. */
  readonly text: string;
  draft: RuleDraft;
}

export interface WrittenRule {
  readonly links: WrittenLink[];
}

export type PhaseDefaults = ReadonlyMap<Phase, RuleDraft>;

export class RuleWriter {
  readonly prefilter = new PrefilterBuilder();
  readonly #chains = new ChainTable();
  readonly #groups = new Map<string, number>();
  readonly #sources = new Map<string, number>();
  readonly #contextOf: (place: Place) => OperatorContext;

  constructor(contextOf: (place: Place) => OperatorContext) {
    this.#contextOf = contextOf;
  }

  write({ links }: WrittenRule, defaults: PhaseDefaults): Rule {
    const { draft: head, place } = links[0]!;
    const phase = head.phase ?? 2;
    const standard = defaults.get(phase);
    return {
      id: head.id!,
      phase,
      links: links.map((link) => this.#writeLink(link, standard)),
      disruption: chooseDisruption(head, standard, place),
      isLogged: head.isLogged ?? standard?.isLogged ?? true,
      message: head.message,
      logData: head.logData,
      severity: head.severity,
      tags: head.tags,
      version: head.version,
      skipAfter: head.skipAfter,
      skip: head.skip,
    };
  }

  #writeLink({ place, targets, operatorText, draft }: WrittenLink, standard: RuleDraft | undefined): Link {
    const test =
      targets === undefined ? undefined : this.#writeTest(targets, operatorText, draft, standard, place);
    return { place, test, actions: draft.actions };
  }

  #writeTest(
    targets: Targets,
    operatorText: string,
    draft: RuleDraft,
    standard: RuleDraft | undefined,
    place: Place,
  ): LinkTest {
    checkVariables(targets, place);
    const names = [
      ...(draft.dropsTransformations ? [] : (standard?.transformations ?? [])),
      ...draft.transformations,
    ];
    const chain = this.#chains.intern(
      names.map((name) => requireNamed(transformations, name, 'transformation', place)),
    );
    const found = /^\s*(!?)\s*(?:@([A-Za-z0-9_]+))?\s?([^]*)$/.exec(operatorText)!;
    const definition = requireNamed(operators, (found[2] ?? 'rx').toLowerCase(), 'operator', place);
    const operator = guard(place, `@${found[2] ?? 'rx'}`, () =>
      definition.prepare(
        new Template(found[2] === undefined ? operatorText.replace(/^\s*!/, '') : found[3]!),
        this.#contextOf(place),
      ),
    );
    return {
      targets,
      group: this.#groupOf(targets),
      sources: targets.included.map((target) => this.#sourceOf(target)),
      txKey: chain.parent === undefined ? findTxKey(targets) : undefined,
      operator,
      filter: operator.literals === undefined ? -1 : this.prefilter.add(operator.literals),
      operatorText,
      isNegated: found[1] === '!',
      chain,
      isMultiMatch: draft.isMultiMatch,
      captures: draft.captures,
    };
  }

  #groupOf(targets: Targets): number {
    if (targets.included.some(({ variable }) => variable !== 'XML' && volatileVariables.has(variable)))
      return -1;
    return numberIn(this.#groups, describeTargets(targets));
  }

  #sourceOf(target: Target): number {
    return numberIn(this.#sources, describeTargets({ included: [target], excluded: [] }));
  }
}

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text) ?? numbers.size;
  numbers.set(text, known);
  return known;
}

function findTxKey({ included, excluded }: Targets): string | undefined {
  const [target] = included;
  if (included.length !== 1 || excluded.length > 0 || target!.variable !== 'TX') return undefined;
  return target!.selector.kind === 'key' ? target!.selector.key : undefined;
}

/** Reads the last word of a directive. */
export function readDraft(text: string, place: Place): RuleDraft {
  const draft = createDraft();
  for (const { name, argument } of readActionList(text, place)) {
    const definition = requireNamed(actions, name, 'action', place);
    guard(place, name, () => definition.read(draft, argument));
  }
  return draft;
}

function chooseDisruption(draft: RuleDraft, standard: RuleDraft | undefined, place: Place): Disruption {
  const kind = draft.disruption === 'block' ? (standard?.disruption ?? 'pass') : draft.disruption;
  const status = draft.status ?? standard?.status ?? 403;
  switch (kind ?? standard?.disruption ?? 'pass') {
    case 'deny':
      return { kind: 'deny', status };
    case 'drop':
      return { kind: 'drop', status };
    case 'redirect':
      return {
        kind: 'redirect',
        status: draft.status ?? 302,
        location: draft.location || (standard?.location ?? ''),
      };
    case 'allow':
      return { kind: 'allow', scope: draft.allowScope };
    case 'pass':
      return { kind: 'pass' };
    default:
      throw new SecLangError('SecDefaultAction cannot be block: it says what block means', place);
  }
}

function checkVariables({ included, excluded }: Targets, place: Place): void {
  for (const { variable } of [...included, ...excluded]) {
    if (!isKnownVariable(variable)) throw new SecLangError(`there is no variable ${variable}`, place);
  }
}

function requireNamed<T>(all: ReadonlyMap<string, T>, name: string, kind: string, place: Place): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  throw new SecLangError(`there is no ${kind} "${name}"${didYouMean(name, all.keys())}`, place);
}

function guard<T>(place: Place, what: string, prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SecLangError(`${what}: ${error.message}`, place);
  }
}
