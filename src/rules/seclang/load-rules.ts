/**
 * Loads rule files into a rule set, in the given order, or throws a SecLangError with the file and the line. A broken
 * file is refused as a whole: then none of the other files is in force either.
 */
import { isChosen, type RuleChoice } from './actions/rule-choice.ts';
import { chooseByMessage, chooseByTag, readIds } from './actions/ctl.ts';
import { type PhaseDefaults, readDraft, RuleWriter, type WrittenRule } from './compile/rule-writer.ts';
import { fileBytesMax, filesMax, rulesMax } from './limits.ts';
import type { RuleOrMarker } from './model.ts';
import type { Phase } from './phase.ts';
import { type SourcePlace, SecLangError } from './problem.ts';
import { type Directive, readDirectives } from './read/directives.ts';
import { readTargets, type Targets } from './read/targets.ts';
import { RuleSet } from './rule-set.ts';
import { describeRule, type RuleDescription } from './rule-description.ts';

export interface RuleSource {
  /** Bytes as binary strings. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The bytes of a data file that a rule file names. Throws if it does not exist. */
  readData(name: string, ruleFile: string): string;
}

type WrittenStep = { readonly rule: WrittenRule } | { readonly marker: string };

/** Directives for engines that have other means, or for features that do not exist here. */
const ignoredDirectives =
  /^Sec(?:Argument(?:Separator|sLimit)|Audit\w+|Collection(?:Timeout)|ComponentSignature|ConnEngine|ConnReadStateLimit|ConnWriteStateLimit|Cookie(?:Format|V0Separator)|DataDir|Debug\w+|GeoLookupDb|GsbLookupDb|Hash\w+|Interceptor\w+|Pcre\w+|Remote\w+|Request(?:Body\w+|Encoding)|Response\w+|RuleEngine|RuleInheritance|RulePerfTime|SensorId|ServerSignature|StatusEngine|StreamIn\w+|StreamOut\w+|TmpDir|TmpSaveUploadedFiles|Unicode\w+|Upload\w+|WebAppId|XmlExternalEntity)$/i;

export function loadRules(source: RuleSource): RuleSet {
  const writing = readAll(source).write(source);
  let step = writing.next();
  while (step.done !== true) step = writing.next();
  return step.value;
}

/** The same, with other work between rules: compiling all of CRS takes some hundred milliseconds. */
export async function loadRulesInTurns(source: RuleSource, pause: () => Promise<void>): Promise<RuleSet> {
  const writing = readAll(source).write(source);
  for (;;) {
    const step = writing.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

/**
 * The descriptions of the rules without compiling them: it takes a fraction of the time of loading them, and finds
 * fewer errors.
 */
export function describeRules(source: RuleSource): readonly RuleDescription[] {
  return readAll(source).describe();
}

function readAll(source: RuleSource): Loader {
  if (source.files.length > filesMax)
    throw new RangeError(`${source.files.length} rule files are more than ${filesMax}`);
  const bytes = source.files.reduce((sum, { text }) => sum + text.length, 0);
  if (bytes > fileBytesMax)
    throw new RangeError(`${bytes} bytes of rule files are more than ${fileBytesMax}`);
  const loader = new Loader();
  for (const { name, text } of source.files) {
    for (const directive of readDirectives(text, name)) loader.take(directive);
    loader.endFile(name);
  }
  return loader;
}

class Loader {
  readonly #steps: WrittenStep[] = [];
  readonly #defaults = new Map<Phase, ReturnType<typeof readDraft>>();
  readonly #ids = new Map<number, SourcePlace>();
  readonly #ignored = new Map<string, number>();
  #open: WrittenRule | undefined;
  #count = 0;

  take(directive: Directive): void {
    const { name, words, place } = directive;
    const kind = name.toLowerCase();
    if (this.#open !== undefined && kind !== 'secrule' && kind !== 'secaction') {
      throw new SecLangError(`${name} stands inside a chain: the rule before it ends in "chain"`, place);
    }
    if (kind === 'secrule' || kind === 'secaction') return this.#takeRule(directive, kind === 'secaction');
    if (kind === 'secmarker') return void this.#steps.push({ marker: requireWord(directive, 0) });
    if (kind === 'secdefaultaction') {
      const draft = readDraft(requireWord(directive, 0), place);
      return void this.#defaults.set(draft.phase ?? 2, draft);
    }
    const change = changes[kind];
    if (change !== undefined) return this.#change(directive, change);
    if (!ignoredDirectives.test(name)) {
      throw new SecLangError(
        `there is no directive ${name}, or it is not served: ${words.join(' ').slice(0, 60)}`,
        place,
      );
    }
    this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + 1);
  }

  endFile(name: string): void {
    const open = this.#open?.links.at(-1);
    if (open !== undefined) throw new SecLangError(`a chain is not finished when ${name} ends`, open.place);
  }

  /** Yields between rules. */
  *write(source: RuleSource): Generator<void, RuleSet> {
    const writer = new RuleWriter(({ file }) => ({ readFile: (name) => source.readData(name, file) }));
    const defaults: PhaseDefaults = this.#defaults;
    const steps: RuleOrMarker[] = [];
    for (const step of this.#steps) {
      steps.push('rule' in step ? { rule: writer.write(step.rule, defaults) } : step);
      yield;
    }
    return new RuleSet({ prefilter: writer.prefilter.build(), steps, ignored: this.#ignored });
  }

  describe(): readonly RuleDescription[] {
    return this.#steps.flatMap((step) => ('rule' in step ? [describeRule(step.rule)] : []));
  }

  #takeRule(directive: Directive, isAction: boolean): void {
    const { place, words } = directive;
    if (++this.#count > rulesMax) throw new SecLangError(`there are more than ${rulesMax} rules`, place);
    const targets = isAction ? undefined : readTargets(requireWord(directive, 0), place);
    const draft = readDraft(words[isAction ? 0 : 2] ?? '', place);
    const operatorText = isAction ? '' : requireWord(directive, 1);
    const link = { place, targets, operatorText, text: words.join(' '), draft };
    if (this.#open !== undefined) {
      this.#open.links.push(link);
    } else {
      this.#checkId(draft.id, place);
      this.#open = { links: [link] };
      this.#steps.push({ rule: this.#open });
    }
    if (!draft.isChained) this.#open = undefined;
  }

  #checkId(id: number | undefined, place: SourcePlace): void {
    if (id === undefined)
      throw new SecLangError('the rule has no id: write id:NUMBER among its actions', place);
    const other = this.#ids.get(id);
    if (other !== undefined)
      throw new SecLangError(`id ${id} is taken by the rule at ${other.file}:${other.line}`, place);
    this.#ids.set(id, place);
  }

  #change(directive: Directive, { by, what }: (typeof changes)[string]): void {
    const { words, place } = directive;
    const choices = readChoices(directive, by, what === 'remove' ? words : words.slice(0, 1));
    const isMeant = (rule: WrittenRule): boolean => {
      const { id, tags, message } = rule.links[0]!.draft;
      return choices.some((choice) => isChosen(choice, { id: id!, tags, message }));
    };
    for (let at = this.#steps.length - 1; at >= 0; at--) {
      const step = this.#steps[at]!;
      if (!('rule' in step) || !isMeant(step.rule)) continue;
      if (what === 'remove') this.#steps.splice(at, 1);
      else if (what === 'target') changeTargets(step.rule, readTargets(requireWord(directive, 1), place));
      else changeActions(step.rule, readDraft(requireWord(directive, 1), place));
    }
  }
}

const changes: Readonly<
  Record<string, { readonly by: 'id' | 'tag' | 'message'; readonly what: 'remove' | 'target' | 'action' }>
> = {
  secruleremovebyid: { by: 'id', what: 'remove' },
  secruleremovebytag: { by: 'tag', what: 'remove' },
  secruleremovebymsg: { by: 'message', what: 'remove' },
  secruleupdatetargetbyid: { by: 'id', what: 'target' },
  secruleupdatetargetbytag: { by: 'tag', what: 'target' },
  secruleupdatetargetbymsg: { by: 'message', what: 'target' },
  secruleupdateactionbyid: { by: 'id', what: 'action' },
};

function readChoices({ name, place }: Directive, by: string, words: readonly string[]): RuleChoice[] {
  if (words.length === 0) throw new SecLangError(`${name} names no rules`, place);
  try {
    if (by === 'id') return words.flatMap((word) => word.split(/[\s,]+/)).map(readIds);
    return words.map(by === 'tag' ? chooseByTag : chooseByMessage);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SecLangError(`${name}: ${error.message}`, place);
  }
}

function changeTargets(rule: WrittenRule, { included, excluded }: Targets): void {
  const link = rule.links[0]!;
  if (link.targets === undefined) return;
  link.targets = {
    included: [...link.targets.included, ...included],
    excluded: [...link.targets.excluded, ...excluded],
  };
}

/** New properties replace old ones; tags and effects are added; id and phase stay. */
function changeActions(rule: WrittenRule, change: ReturnType<typeof readDraft>): void {
  const link = rule.links[0]!;
  const { draft } = link;
  link.draft = {
    ...draft,
    message: change.message || draft.message,
    logData: change.logData || draft.logData,
    severity: change.severity || draft.severity,
    tags: [...draft.tags, ...change.tags],
    status: change.status ?? draft.status,
    disruption: change.disruption ?? draft.disruption,
    location: change.location || draft.location,
    isLogged: change.isLogged ?? draft.isLogged,
    transformations: [
      ...(change.dropsTransformations ? [] : draft.transformations),
      ...change.transformations,
    ],
    dropsTransformations: draft.dropsTransformations || change.dropsTransformations,
    actions: [...draft.actions, ...change.actions],
  };
}

function requireWord({ name, words, place }: Directive, index: number): string {
  const word = words[index];
  if (word === undefined)
    throw new SecLangError(`${name} needs ${index + 1} argument${index === 0 ? '' : 's'}`, place);
  return word;
}
