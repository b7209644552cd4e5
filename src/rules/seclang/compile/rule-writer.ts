/** Turns a directive into a rule: looks names up, compiles patterns, applies defaults of the phase. */
import { didYouMean } from '#text';
import { actions } from '../actions/actions.ts';
import { createDraft, type UnfinishedRule } from '../actions/action.ts';
import type { Disruption, RuleLink, LinkTest, Rule, TargetSource, TxTarget } from '../model.ts';
import type { Phase } from '../phase.ts';
import type { Operator, OperatorContext } from '../operators/operator.ts';
import { operators } from '../operators/operators.ts';
import { type SourcePlace, SecLangError } from '../problem.ts';
import { readActionList } from '../read/action-list.ts';
import { describeTargets, type VariableTarget, type Targets } from '../read/targets.ts';
import { Template } from '../template.ts';
import { ChainTable } from '../transformations/chain.ts';
import { transformations } from '../transformations/transformations.ts';
import {
  changesBetweenPhases,
  isKnownVariable,
  numberOfVariable,
  volatileVariables,
} from '../variables/variables.ts';
import { PrefilterBuilder } from '../prefilter.ts';

/** A link as the file defines it, before it is compiled: later directives may still change it. */
export interface WrittenLink {
  readonly place: SourcePlace;
  /** `undefined` for SecAction. */
  targets: Targets | undefined;
  readonly operatorText: string;
  /** The whole directive. */
  readonly text: string;
  draft: UnfinishedRule;
}

export interface WrittenRule {
  readonly links: WrittenLink[];
}

export type PhaseDefaults = ReadonlyMap<Phase, UnfinishedRule>;

export class RuleWriter {
  readonly prefilter = new PrefilterBuilder();
  readonly #chains = new ChainTable();
  readonly #sources = new Map<string, TargetSource>();
  readonly #contextOf: (place: SourcePlace) => OperatorContext;

  constructor(contextOf: (place: SourcePlace) => OperatorContext) {
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

  #writeLink(
    { place, targets, operatorText, draft }: WrittenLink,
    standard: UnfinishedRule | undefined,
  ): RuleLink {
    const test =
      targets === undefined ? undefined : this.#writeTest(targets, operatorText, draft, standard, place);
    return { place, test, actions: draft.actions };
  }

  #writeTest(
    targets: Targets,
    operatorText: string,
    draft: UnfinishedRule,
    standard: UnfinishedRule | undefined,
    place: SourcePlace,
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
    const argument = new Template(found[2] === undefined ? operatorText.replace(/^\s*!/, '') : found[3]!);
    const prepare = (given: Template): Operator =>
      guard(place, `@${found[2] ?? 'rx'}`, () => definition.prepare(given, this.#contextOf(place)));
    const operator = prepare(argument);
    const isNegated = found[1] === '!';
    const sources = targets.included.map((target) => this.#sourceOf(target, targets));
    const dependsOnValue = operator.readsRequest !== true && sources.every(({ isVolatile }) => !isVolatile);
    const number = dependsOnValue
      ? this.prefilter.add(isNegated || argument.constant === undefined ? undefined : operator.literals)
      : -1;
    return {
      targets,
      sources,
      txTargets: draft.isMultiMatch ? undefined : findTxTargets(targets),
      operator,
      macros:
        argument.constant === undefined
          ? { argument, number, prepare: (text) => prepare(new Template(text)) }
          : undefined,
      number: argument.constant === undefined ? -1 : number,
      operatorText,
      isNegated,
      chain,
      isMultiMatch: draft.isMultiMatch,
      captures: draft.captures,
    };
  }

  #sourceOf(target: VariableTarget, targets: Targets): TargetSource {
    const excluded = targets.excluded.filter(({ variable }) => variable === target.variable);
    const text = describeTargets({ included: [target], excluded });
    const known = this.#sources.get(text);
    if (known !== undefined) return known;
    const isVolatile = target.variable !== 'XML' && volatileVariables.has(target.variable);
    const isChanging = changesBetweenPhases(target.variable);
    const source = {
      number: this.#sources.size,
      target,
      variableNumber: numberOfVariable(target.variable),
      excluded,
      isVolatile,
      isChanging,
    };
    this.#sources.set(text, source);
    return source;
  }
}

function findTxTargets({ included, excluded }: Targets): readonly TxTarget[] | undefined {
  if (excluded.length > 0) return undefined;
  const found = included.flatMap(({ variable, selector, isCount }) =>
    variable === 'TX' && selector.kind === 'key' ? [{ key: selector.key, isCount }] : [],
  );
  return found.length === included.length ? found : undefined;
}

/** Parses the last word of a directive. */
export function readDraft(text: string, place: SourcePlace): UnfinishedRule {
  const draft = createDraft();
  for (const { name, argument } of readActionList(text, place)) {
    const read = requireNamed(actions, name, 'action', place);
    guard(place, name, () => read(draft, argument));
  }
  return draft;
}

function chooseDisruption(
  draft: UnfinishedRule,
  standard: UnfinishedRule | undefined,
  place: SourcePlace,
): Disruption {
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

function checkVariables({ included, excluded }: Targets, place: SourcePlace): void {
  for (const { variable } of [...included, ...excluded]) {
    if (!isKnownVariable(variable)) throw new SecLangError(`there is no variable ${variable}`, place);
  }
}

function requireNamed<T>(all: ReadonlyMap<string, T>, name: string, kind: string, place: SourcePlace): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  throw new SecLangError(`there is no ${kind} "${name}"${didYouMean(name, all.keys())}`, place);
}

function guard<T>(place: SourcePlace, what: string, prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SecLangError(`${what}: ${error.message}`, place);
  }
}
