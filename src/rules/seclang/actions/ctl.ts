import { parsePattern } from '#regex';
import { readTargets, type VariableTarget } from '../read/targets.ts';
import type { Controls, ReadAction } from './action.ts';
import type { RuleChoice } from './rule-choice.ts';

interface Control {
  set(controls: Controls): void;
  readonly removes?: readonly RuleChoice[];
}

/** Changes the rest of this request: which rules and targets are disabled, the engine, how the body is read. */
export const ctl: ReadAction = (draft, argument) => {
  const found = /^([A-Za-z]+)=([^]*)$/.exec(argument);
  const prepare = found === null ? undefined : preparations[found[1]!.toLowerCase()];
  if (prepare === undefined) throw new RangeError(`ctl does not know "${argument}"`);
  const control = prepare(found![2]!.trim());
  if (control === undefined) return;
  const { set, removes = [] } = control;
  draft.actions.push({ removes, perform: ({ controls }) => set(controls) });
};

const preparations: Readonly<Record<string, (value: string) => Control | undefined>> = {
  auditengine: () => undefined,
  auditlogparts: () => undefined,
  debugloglevel: () => undefined,
  forcerequestbodyvariable: (value) => {
    const isOn = readSwitch(value);
    return { set: (controls) => (controls.forcesBodyVariable = isOn) };
  },
  requestbodyaccess: (value) => {
    const isOn = readSwitch(value);
    return { set: (controls) => (controls.readsRequestBody = isOn) };
  },
  responsebodyaccess: (value) => {
    const isOn = readSwitch(value);
    return { set: (controls) => (controls.readsResponseBody = isOn) };
  },
  requestbodyprocessor: (value) => ({ set: (controls) => (controls.bodyProcessor = value.toUpperCase()) }),
  ruleengine: (value) => {
    const modes = { on: 'on', off: 'off', detectiononly: 'detection-only' } as const;
    const mode = modes[value.toLowerCase() as keyof typeof modes];
    if (mode === undefined) throw new RangeError(`ruleEngine needs On, Off or DetectionOnly, not "${value}"`);
    return { set: (controls) => (controls.engine = mode) };
  },
  ruleremovebyid: (value) => removeRules(value.split(/[\s,]+/).map(readIds)),
  ruleremovebytag: (value) => removeRules([chooseByTag(value)]),
  ruleremovebymsg: (value) => removeRules([chooseByMessage(value)]),
  ruleremovetargetbyid: (value) => removeTargets(value, readIds),
  ruleremovetargetbytag: (value) => removeTargets(value, chooseByTag),
  ruleremovetargetbymsg: (value) => removeTargets(value, chooseByMessage),
};

function readSwitch(value: string): boolean {
  const text = value.toLowerCase();
  if (text !== 'on' && text !== 'off') throw new RangeError(`expected On or Off, not "${value}"`);
  return text === 'on';
}

function removeRules(removes: readonly RuleChoice[]): Control {
  return { removes, set: (controls) => removes.forEach((choice) => controls.removeRules(choice)) };
}

function removeTargets(value: string, choose: (text: string) => RuleChoice): Control {
  const [rules, written] = splitOnce(value, ';');
  if (written === '') throw new RangeError(`expected rules;target, not "${value}"`);
  const choice = choose(rules);
  const { included } = readTargets(written, { file: '', line: 0 });
  return {
    removes: [choice],
    set: (controls) => included.forEach((target: VariableTarget) => controls.removeTarget(choice, target)),
  };
}

function splitOnce(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** `942100` or `942000-942999`. */
export function readIds(text: string): RuleChoice {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text.trim());
  if (found === null) throw new RangeError(`"${text}" is neither the id of a rule nor a range of ids`);
  return { by: 'id', first: Number(found[1]), last: Number(found[2] ?? found[1]) };
}

export function chooseByTag(text: string): RuleChoice {
  return { by: 'tag', matches: compile(text) };
}

export function chooseByMessage(text: string): RuleChoice {
  return { by: 'message', matches: compile(text) };
}

function compile(source: string): (text: string) => boolean {
  const parsed = parsePattern(source, 'pcre', { dotAll: true });
  if (!parsed.ok) throw new RangeError(`"${source}" is an invalid pattern: ${parsed.error.reason}`);
  return (text) => parsed.pattern.test(text);
}
